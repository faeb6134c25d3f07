// Written by `npm run generate` from the files beside it.
export * from "./databases";
export * from "./domain-records";
export * from "./domains";
export * from "./engines";
export * from "./images";
export * from "./mysql";
export * from "./node-backups";
export * from "./nodes";
export * from "./postgresql";
export * from "./regions";
export type * from "./results";
