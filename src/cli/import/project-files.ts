import { readFileSync } from "node:fs";
import { join } from "node:path";
import { stringify } from "yaml";
import { withoutAccents } from "./names";

/** The compiler that `@pulumi/pulumi` supports best, and the types of Node. */
const TYPESCRIPT = "^5.9.0";
const NODE_TYPES = "^22.0.0";

/** Where npm puts the executable of the full plugin. */
const PLUGINS = { providers: [{ name: "nodecloud", path: "node_modules/.bin" }] };

/** The files around a new program, by their paths. */
export function projectFiles(name: string, withPlugin = false): ReadonlyMap<string, string> {
  const { version, peerDependencies } = manifest();
  const json = (value: unknown) => `${JSON.stringify(value, undefined, 2)}\n`;
  return new Map([
    [
      "Pulumi.yaml",
      stringify({
        name,
        description: "Adopted with nodecloud import.",
        runtime: { name: "nodejs", options: { packagemanager: "npm" } },
        ...(withPlugin ? { plugins: PLUGINS } : {}),
      }),
    ],
    [
      "package.json",
      json({
        name,
        private: true,
        main: "index.ts",
        dependencies: { ...peerDependencies, "pulumi-nodecloud": `^${version}` },
        devDependencies: { "@types/node": NODE_TYPES, typescript: TYPESCRIPT },
      }),
    ],
    [
      "tsconfig.json",
      json({
        compilerOptions: {
          strict: true,
          target: "es2022",
          module: "nodenext",
          noEmit: true,
          forceConsistentCasingInFileNames: true,
        },
        include: ["**/*.ts"],
        exclude: ["node_modules"],
      }),
    ],
    [".gitignore", "node_modules/\n"],
  ]);
}

/** A name that a project and a package may have, from that of a folder. */
export function projectNameOf(folder: string): string {
  const name = withoutAccents(folder)
    .toLowerCase()
    .replace(/[^a-z0-9._-]+/g, "-")
    .slice(0, 90)
    .replace(/^[-._]+|[-._]+$/g, "");
  if (name === "") return "nodecloud";
  // npm refuses the first two, and a package cannot depend on itself.
  const isTaken = ["node_modules", "favicon.ico", "typescript", "pulumi-nodecloud"].includes(name);
  return isTaken ? `${name}-program` : name;
}

interface Manifest {
  readonly version: string;
  readonly peerDependencies: Readonly<Record<string, string>>;
}

const manifest = (): Manifest =>
  JSON.parse(readFileSync(join(__dirname, "../../../package.json"), "utf8")) as Manifest;
