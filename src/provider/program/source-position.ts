import { resolve, sep } from "node:path";
import { fileURLToPath } from "node:url";

const OWN = `${resolve(__dirname, "../..")}${sep}`;
/** The files that run a program and are not part of it. */
const RUNNING = /[\\/]node_modules[\\/](@pulumi[\\/]pulumi|ts-node)[\\/]/;

/** The frames that the SDK skips, from its own to the constructor that called it. */
const SKIPPED = 5;

/**
 * Makes the SDK find the program's line. The SDK takes the fifth frame for that of the program, and writes all further frames into the state: a
 * thousand bytes for each resource. Between `begin` and `end`, a stack has only the program's frames. Errors also take no stack by themselves then:
 * the SDK takes several for each property, which is a third of the cost of a program with many resources. The SDK has no option for its frames.
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
        return typeof text === "string" ? oncePerLine(text.replaceAll(UNNAMED, inBrackets)) : text;
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

/** A frame of a function without a name, such as an ES module. */
const UNNAMED = /^( +at )(?:async )?((?:file:|[\\/]|[A-Za-z]:)[^()]*?)(:\d+:\d+)$/gm;

/** The SDK finds a position only in brackets. Frames of functions without a name have none. */
const inBrackets = (_: string, at: string, file: string, position: string): string =>
  `${at}<anonymous> (${file.startsWith("file:") ? fileURLToPath(file) : file}${position})`;

/** A frame on the line of the frame above it, such as a callback and the call that it is given to, says nothing more. The state has one of them. */
const oncePerLine = (text: string): string =>
  text
    .split("\n")
    .filter((frame, index, frames) => {
      const line = lineIn(frame);
      return line === undefined || line !== lineIn(frames[index - 1] ?? "");
    })
    .join("\n");

const lineIn = (frame: string): string | undefined => /^ +at .*\(([^()]+:\d+):\d+\)$/.exec(frame)?.[1];
