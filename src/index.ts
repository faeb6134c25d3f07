export * from "./functions";
export { Provider, type ProviderArgs } from "./provider/explicit";
export * from "./resources";
