export {
  type CheckAnswer as Checked,
  type Diff,
  type LogEntry,
  type Plugin,
  PluginError,
  type ReadResult,
  type Stored,
} from "./calls";
export { type PluginProcess, startPlugin } from "./start";
export { inEachWay, WAY, type Way } from "./way";
export { onAnswer, type Properties, secretsIn } from "./wire";
