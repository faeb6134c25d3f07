export { NodePool, type NodePoolArgs, type NodePoolRecord } from "./components/node-pool";
export * from "./functions";
export { type DatabaseFields } from "./functions/types";
export { adopt } from "./provider/program/adopt";
export { Provider, type ProviderArgs } from "./provider/program/provider";
export { workspaceSettings, type WorkspaceSettings } from "./provider/program/workspace-settings";
export * from "./sdk";
