// Written by `npm run generate` from src/api.
export * from "./backups";
export * from "./common";
export * from "./databases";
export * from "./domains";
export * from "./engines";
export * from "./images";
export * from "./nodes";
export * from "./records";
export * from "./regions";
