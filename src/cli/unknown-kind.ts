import { nearestName } from "../provider/inputs/nearest-name";
import { CliError } from "./errors";

/** The error of an option that names an unknown kind. */
export function unknownKind(option: string, name: string, kinds: readonly string[]): CliError {
  const near = nearestName(name, kinds);
  const hint = near === undefined ? "" : `did you mean ${near}? `;
  const known = `${hint}The kinds are ${kinds.join(", ")}`;
  return new CliError(`${option}: unknown kind ${JSON.stringify(name)}; ${known}`);
}
