import { invalidSetting } from "../base/errors";
import { classIn } from "../describe/type-token";
import { lastingUrn, typeInUrn } from "../describe/urn";

/** Names the objects that resources adopt, as the option `import` does, without a change of the program. */
export const IMPORT_VARIABLE = "NODECLOUD_IMPORT";

/** A name in a program may contain anything but another URN. An id contains no separator. */
const ENTRY = /^(?!.+urn:pulumi:)(?<urn>urn:pulumi:[^:]+::[^:]+::.+)=(?<id>[^=,\s]+)$/s;

/** The ids in the variable, by the lasting URNs of their resources. */
export function readImports(text: string): ReadonlyMap<string, string> {
  const imports = new Map<string, string>();
  for (const entry of text.trim().split(/\s*,\s*(?=urn:)/)) {
    const { urn, id } = ENTRY.exec(entry)?.groups ?? {};
    if (urn === undefined || id === undefined)
      refuse(`"${entry}" is no URN with an id. Write URN=ID, and a comma between two of them`);
    if (classIn(typeInUrn(urn)) === undefined)
      refuse(`${urn} is no resource of this package. \`pulumi preview --diff\` shows the URNs`);
    const key = lastingUrn(urn);
    const other = imports.get(key) ?? id;
    if (other !== id) refuse(`${urn} has the ids ${other} and ${id}. Keep one of them`);
    imports.set(key, id);
  }
  return imports;
}

function refuse(problem: string): never {
  throw invalidSetting(`${IMPORT_VARIABLE}: ${problem}`);
}
