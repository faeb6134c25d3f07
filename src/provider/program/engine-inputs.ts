import type * as pulumi from "@pulumi/pulumi";
import { memberInputs } from "./member-inputs";
import { type Outline } from "../describe/outline";
import { refusingHere } from "./refuse";
import * as sdk from "./sdk";
import { type Inputs } from "./registrar";

/** The inputs as the engine gets them: files as their paths, and the members of a collection under one name. */
export function inputsForEngine(
  outline: Outline,
  called: string,
  given: Inputs,
  opts: pulumi.CustomResourceOptions,
): Inputs {
  const { type, files = [], membersProperty, forms = [] } = outline;
  const rest = Object.entries(given).filter(([name]) => !forms.includes(name));
  const plain = rest.map(([name, value]) => {
    if (!files.includes(name) || value === undefined) return [name, value];
    const refuse = refusingHere();
    return [name, sdk.output(value).apply((file) => pathOf(file, `${type} ${called}: ${name}`, refuse))];
  });
  const members = Object.fromEntries(forms.map((form) => [form, given[form]]));
  // All forms have one name here, so that a secret in any of them stays secret.
  return {
    ...Object.fromEntries(plain),
    ...(membersProperty === undefined ? {} : memberInputs(membersProperty, members, opts)),
  };
}

/** The name under which the engine gets an input. */
export const handedName = ({ membersProperty, forms = [] }: Outline, name: string): string =>
  membersProperty !== undefined && forms.includes(name) ? membersProperty : name;

/** The path of a file. Only files can be uploaded. */
function pathOf(
  file: unknown,
  what: string,
  refuse: ReturnType<typeof refusingHere>,
): pulumi.Input<string> | null | undefined {
  if (file == null || typeof file === "string") return file;
  // Not `instanceof`: the program may have another copy of the SDK.
  if (typeof file === "object" && sdk.Asset.isInstance(file) && "path" in file)
    return file.path as Promise<string>;
  refuse(
    `${what} must be a path or a pulumi.asset.FileAsset: write the content of another asset to a file, and set it to the path of the file`,
    "INVALID_INPUT",
  );
  // Nothing more is said of the input.
  return sdk.unknown as string;
}
