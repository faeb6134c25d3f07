// Written by `npm run generate` from src/functions and src/api.
export * from "./backups";
export * from "./databases";
export * from "./domains";
export * from "./engines";
export * from "./images";
export * from "./nodes";
export * from "./records";
export * from "./regions";
