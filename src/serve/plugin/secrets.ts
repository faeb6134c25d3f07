import { FORMS } from "../../provider/state/packed-members";
import { type Outline } from "../../provider/describe/outline";
import { type Told } from "../../provider/state/call";
import { isHidden, ENCRYPTED } from "../../provider/state/codec";
import { fewPaths, type Path, pathText } from "../../provider/base/property-paths";
import { type Properties, same, valueAt } from "../../provider/base/values";
import { valueIn } from "../../provider/state/secret-inputs";
import { type Sealed } from "./wire-values";

const ALWAYS = [...ENCRYPTED.always, ...ENCRYPTED.ofUnfinished, ...ENCRYPTED.ofMembers];

/** The secrets in the properties of one type: the engine marks secrets by their places. */
export class Secrets {
  constructor(private readonly outline: Outline) {}

  /** The facts about the program's secrets in received properties. */
  toldBy(secrets: readonly Path[]): Pick<Told, "secrets" | "isGuarded"> {
    const known = pathsInProgram(secrets);
    return {
      secrets: known.length === 0 ? undefined : fewPaths(known.map(pathText)),
      isGuarded: this.#isGuarded(known),
    };
  }

  /** The secrets in checked inputs: those of the program, and inputs that are always secret. */
  ofInputs({ secrets }: Sealed): Path[] {
    const { secretInputs = [], membersProperty } = this.outline;
    const known = pathsInProgram(secrets);
    const always = secretInputs.map((name) => [name]);
    return [
      ...always,
      ...(this.#isGuarded(known) && membersProperty !== undefined ? [[membersProperty]] : known),
    ];
  }

  /**
   * The secrets in outputs: at the paths of secret inputs, and what was secret before and is not an input any more. A list is secret as a whole, as
   * the service may order it in another way.
   */
  ofOutputs(outputs: Properties, inputs: Sealed, olds?: Sealed): Path[] {
    const { secretOutputs = [] } = this.outline;
    const stays = (path: Path) =>
      valueAt(inputs.properties, String(path[0])) === undefined &&
      same("value", valueIn(outputs, path), valueIn(olds?.properties ?? {}, path));
    return [
      ...[...ALWAYS, ...secretOutputs].map((name) => [name]),
      ...this.ofInputs(inputs).map(aboveLists),
      ...(olds?.secrets ?? []).map(aboveLists).filter(stays),
    ];
  }

  /** Whether the members of a collection hold a secret. */
  #isGuarded(secrets: readonly Path[]): boolean {
    const { membersProperty, forms = [] } = this.outline;
    return (
      membersProperty !== undefined &&
      secrets.some(([name]) => name === membersProperty || forms.includes(String(name)))
    );
  }
}

/** The paths as the program has them: the classes may hand the members of a collection over in another form. */
function pathsInProgram(secrets: readonly Path[]): Path[] {
  const shown = secrets.filter(([name]) => !isHidden(String(name)));
  return shown.map((path) => (path[1] === FORMS ? path.slice(2) : path));
}

function aboveLists(path: Path): Path {
  const index = path.findIndex((segment) => typeof segment === "number");
  return index < 0 ? path : path.slice(0, index);
}
