import { resolve, sep } from "node:path";
import { fileURLToPath } from "node:url";

const OWN = `${resolve(__dirname, "../..")}${sep}`;
/** What runs a program, and is none of it. */
const RUNNING = /[\\/]node_modules[\\/](@pulumi[\\/]pulumi|ts-node)[\\/]/;

/** The frames that the SDK passes over, from itself to the constructor that called its own. */
const SKIPPED = 5;

/**
 * Has the SDK find the program's line: it takes the fifth frame for that of the program, and all that follow into the state, a thousand
 * bytes for each resource. Between `begin` and `end` an error's stack has the program's frames only, and takes none of its own accord,
 * for the SDK takes several for each property, a third of what a program of many resources costs.
 */
export function withProgramFrames(): { begin(): void; end(): void } {
  const { stackTraceLimit, prepareStackTrace } = Error;
  let isOn = false;
  return {
    begin: () => {
      isOn = true;
      Error.stackTraceLimit = 0;
      Error.prepareStackTrace = (error, sites) => {
        const shown = [...sites.slice(0, SKIPPED), ...sites.slice(SKIPPED).filter(isProgram)];
        const text: unknown =
          prepareStackTrace === undefined
            ? [String(error), ...shown.map((site) => `    at ${site.toString()}`)].join("\n")
            : prepareStackTrace(error, shown);
        return typeof text === "string" ? text.replaceAll(UNNAMED, inBrackets) : text;
      };
    },
    end: () => {
      if (!isOn) return;
      isOn = false;
      Error.stackTraceLimit = stackTraceLimit;
      Error.prepareStackTrace = prepareStackTrace;
    },
  };
}

function isProgram(site: NodeJS.CallSite): boolean {
  const file = site.getFileName();
  if (file == null || file.startsWith("node:")) return false;
  const path = file.startsWith("file:") ? fileURLToPath(file) : file;
  return !path.startsWith(OWN) && !RUNNING.test(path);
}

/** A frame of a function without a name, such as a module of the ES kind. */
const UNNAMED = /^( +at )(?:async )?((?:file:|[\\/]|[A-Za-z]:)[^()]*?)(:\d+:\d+)$/gm;

/** The SDK finds a position within brackets only, which are left out where the function has no name. */
const inBrackets = (_: string, at: string, file: string, position: string): string =>
  `${at}<anonymous> (${file.startsWith("file:") ? fileURLToPath(file) : file}${position})`;
