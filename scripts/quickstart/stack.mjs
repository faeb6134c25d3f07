/** The stack of the quickstart. */
import { writeFileSync } from "node:fs";
import { join } from "node:path";

/** The name of an unused stack. Existing settings may be those of a real account. @param {string} folder the folder of the settings. */
export function reserveStack(folder) {
  for (let number = 1; ; number++) {
    const name = number === 1 ? "quickstart" : `quickstart-${number}`;
    const settings = join(folder, `Pulumi.${name}.yaml`);
    try {
      writeFileSync(settings, "", { flag: "wx" });
      return { name, settings };
    } catch (error) {
      if (!(error instanceof Error && "code" in error && error.code === "EEXIST")) throw error;
    }
  }
}
