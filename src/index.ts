export * from "./functions";
export { type DatabaseFields } from "./functions/types";
export { adopt } from "./provider/program/adopt";
export { Provider, type ProviderArgs } from "./provider/program/provider";
export * from "./sdk";
