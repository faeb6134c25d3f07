import { systemClock } from "../../provider/base/clock";
import { Words } from "../../provider/engine/secret-words";
import { type Context } from "../context";
import { type Progress } from "../progress";
import { type Check } from "./check";
import { checkEngine, checkNode, checkPackages } from "./machine";
import { checkNotes } from "./notes";
import { checkService } from "./service";
import { checkCertificates, checkProxySettings, checkSettings } from "./settings";
import { checkStack, type Examined } from "./stack";

/** Checks everything that a run needs, and what earlier runs have left. It changes nothing. */
export async function diagnose(context: Context, progress: Progress, of: Examined): Promise<Check[]> {
  progress.show("looking at this machine");
  const engine = await checkEngine(context);
  const machine = [checkNode(), engine, ...checkPackages(context, engine)];
  progress.show("reading the stack");
  const { checks, configured } = await checkStack(context, of, engine.status === "ok");
  const { check: settings, configuration } = checkSettings(context, configured);
  progress.show("asking the service");
  const service =
    configuration === undefined
      ? []
      : [
          checkProxySettings(context, configuration),
          checkCertificates(context, configuration, systemClock.now()),
          ...(await checkService(context, configuration, () => systemClock.now())),
        ];
  const words = new Words();
  if (configuration !== undefined) words.hide(configuration.token);
  const all = [
    ...machine,
    ...checks,
    settings,
    ...service,
    ...(await checkNotes(context, configuration, systemClock.now())),
  ];
  return all.map(({ finding, advice, ...check }) => ({
    ...check,
    finding: words.line(finding),
    advice: advice && words.line(advice),
  }));
}
