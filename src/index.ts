export * from "./functions";
export { Provider, type ProviderArgs } from "./provider/program/provider";
export * from "./sdk";
