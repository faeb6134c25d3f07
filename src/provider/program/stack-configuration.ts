import { warn } from "./messages";
import { isLoopback } from "../../api/endpoint";
import { backendOf } from "../engine/backend";
import { NAMESPACE, NEW_TOKEN, SETTINGS, strangeKeys } from "../settings/config";
import { refuse } from "./refuse";
import { isMocked, isPreview, onceInRun } from "./run-mode";
import * as sdk from "./sdk";

/** Whether the stack's configuration has a token that others may read. One for a service on this machine, such as the emulator, is no secret. */
function isTokenInClear(): boolean {
  const { key } = SETTINGS.token;
  if (!sdk.getConfig(key) || sdk.isConfigSecret(key)) return false;
  const baseUrl = sdk.getConfig(SETTINGS.baseUrl.key) ?? process.env[SETTINGS.baseUrl.variable] ?? "";
  return !URL.canParse(baseUrl) || !isLoopback(new URL(baseUrl));
}

const checkOnce = onceInRun(() => {
  for (const strange of strangeKeys(Object.keys(sdk.allConfig()), sdk.getProject()))
    refuse(strange, "SETTING_INVALID");
  if (isPreview() && !isMocked() && isTokenInClear())
    void warn(
      `${SETTINGS.token.key} is in clear text in the stack's configuration. With dynamic resources it is in clear text in the state too, and backends keep old states. ` +
        `To mend it, ${NEW_TOKEN}`,
      "TOKEN_IN_CLEAR",
    );
  return true;
});

/** From how many resources a set takes far fewer writes of a state that is not on this machine. */
const MANY = 200;

const count = onceInRun(() => ({ resources: 0 }));

/** Warns once of many resources whose state is in a bucket: after each step, the engine writes the whole state there. */
export function countResource(): void {
  const { resources } = Object.assign(count(), { resources: count().resources + 1 });
  if (resources !== MANY || !isPreview() || isMocked()) return;
  const [scheme = ""] = backendOf(process.env, process.cwd()).split(":");
  if (["file", "http", "https"].includes(scheme)) return;
  void warn(
    `the program has ${MANY} resources of ${NAMESPACE.slice(0, -1)} or more, and the engine writes the whole state to ${scheme}:// twice for each that it changes. ` +
      'One DomainRecordSet in place of many records is one resource: see docs/performance.md, "State in a bucket"',
    "STATE_WRITES",
  );
}

/** Checks the stack's configuration once. The engine tells only the program all its keys, and which of them are secret. */
export const checkStackConfiguration = (): void => void checkOnce();
