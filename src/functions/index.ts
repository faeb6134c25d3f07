// Written by `npm run generate` from the files beside it.
export * from "./database-engines";
export * from "./databases";
export * from "./domain-records";
export * from "./domains";
export * from "./images";
export * from "./mysql-database-backups";
export * from "./mysql-databases";
export * from "./node-backups";
export * from "./nodes";
export * from "./postgresql-database-backups";
export * from "./postgresql-databases";
export * from "./region-availabilities";
export * from "./regions";
export type * from "./results";
