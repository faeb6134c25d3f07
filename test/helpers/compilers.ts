import { execFile } from "node:child_process";
import { join } from "node:path";
import { installedVersion, npmInstall, packThis, type Project, SDKS, userProject } from "./packed";

/** The last release of each minor version of TypeScript that the package's declarations are for. */
export const COMPILERS = [
  "5.0.4",
  "5.1.6",
  "5.2.2",
  "5.3.3",
  "5.4.5",
  "5.5.4",
  "5.6.3",
  "5.7.3",
  "5.8.3",
  "5.9.3",
  "6.0.3",
  "7.0.2",
] as const;

type Options = Readonly<Record<string, unknown>>;

/** A project for a compiler. */
export interface Case {
  readonly compiler: string;
  /** Which SDK is installed beside the package. */
  readonly sdk: keyof typeof SDKS;
  readonly file: "main.ts" | "main.cts" | "main.mts";
  readonly options: Options;
}

const major = (compiler: string): number => Number(compiler.split(".")[0]);

/** TypeScript 6 accepts `node` only with this option, and TypeScript 7 has removed it. */
const ways = (compiler: string): [file: Case["file"], options: Options][] => [
  ...(major(compiler) > 6 ? [] : [["main.ts", node10(compiler)] satisfies [Case["file"], Options]]),
  ["main.cts", { module: "node16", moduleResolution: "node16" }],
  ["main.mts", { module: "node16", moduleResolution: "node16" }],
  ["main.cts", { module: "nodenext", moduleResolution: "nodenext" }],
  ["main.mts", { module: "nodenext", moduleResolution: "nodenext" }],
  ["main.ts", { module: "esnext", moduleResolution: "bundler" }],
];

const node10 = (compiler: string): Options => ({
  module: "commonjs",
  moduleResolution: "node",
  ...(major(compiler) === 6 ? { ignoreDeprecations: "6.0" } : {}),
});

/** The first and the last release of each major version. The releases between them compile only in strict mode. */
const isEnd = (compiler: string): boolean => {
  const peers = COMPILERS.filter((other) => major(other) === major(compiler));
  return compiler === peers[0] || compiler === peers.at(-1);
};

const checks = (compiler: string): Options[] => [
  ...(isEnd(compiler) ? [{ strict: false, skipLibCheck: false }] : []),
  { strict: true, skipLibCheck: false },
  { strict: true, skipLibCheck: true },
];

/** The options of a program from Pulumi's own template, besides its target and modules. */
export const TEMPLATE = {
  strict: true,
  outDir: "bin",
  sourceMap: true,
  experimentalDecorators: true,
  noFallthroughCasesInSwitch: true,
  noImplicitReturns: true,
  forceConsistentCasingInFileNames: true,
};

const templates = (compiler: string): Options[] =>
  isEnd(compiler) && major(compiler) === 5
    ? ["es2016", "es2020"].map((target) => ({ ...node10(compiler), ...TEMPLATE, target }))
    : [];

/** Each compiler with each resolution, with and without `skipLibCheck`, with the oldest SDK, and with Pulumi's template. */
export const CASES: readonly Case[] = COMPILERS.flatMap((compiler): Case[] => [
  ...ways(compiler).flatMap(([file, way]) =>
    checks(compiler).map((check): Case => ({ compiler, sdk: "newest", file, options: { ...way, ...check } })),
  ),
  ...ways(compiler)
    .slice(0, 1)
    .map(([file, way]): Case => ({ compiler, sdk: "oldest", file, options: { ...way, strict: true } })),
  ...templates(compiler).map((options): Case => ({ compiler, sdk: "newest", file: "main.ts", options })),
]);

export const titleOf = ({ sdk, file, options }: Case): string => {
  const values = Object.entries(options).map(([name, value]) =>
    typeof value === "string" ? value : value === true ? name : `no ${name}`,
  );
  return `${file} (${[...new Set(values)].join(", ")}), ${sdk} SDK`;
};

const program = `import * as pulumi from "@pulumi/pulumi";
import * as nodecloud from "pulumi-nodecloud";
import { createClient, isNotFound, type Client, type Node, type NodeCreate } from "pulumi-nodecloud/api";
import { startEmulator, type RunningEmulator } from "pulumi-nodecloud/emulator";

const provider = new nodecloud.Provider("staging", { token: pulumi.secret("token") });
const zone = new nodecloud.Domain("zone", { domain: "example.org", type: "master", soaEmail: "dns@example.org" }, { provider });
new nodecloud.DomainRecord("www", { domainId: zone.id, type: "A", name: "www", target: "192.0.2.1" });
new nodecloud.DomainRecordSet("all", { domainId: zone.id, records: [{ type: "A", target: "192.0.2.1" }] });
const web = new nodecloud.Node("web", { region: "us-east", type: "g6-nanode-1", image: "node/debian12" });
export const address: pulumi.Output<string[]> = web.ipv4;
export const memory: Promise<number | undefined> = nodecloud.getNode({ label: "web" }).then((node) => node.specs?.memory);
export const nodes: pulumi.Output<nodecloud.NodeResult[]> = nodecloud.getNodesOutput({ filter: { tags: "web" }, sortBy: "specs.memory" }).nodes;
export const records = nodecloud.getDomainRecordsOutput({ domainId: zone.id, filter: { type: ["A"] } }).records;

const client: Client = createClient({ baseUrl: "https://api.example/v4" });
const body: NodeCreate = { region: "us-east", type: "g6-nanode-1" };
export const created: Promise<Node> = client.nodes.create(body);
export const label: Promise<string> = created.then((node) => node.label, (error: unknown) => String(isNotFound(error)));
export const emulator: Promise<RunningEmulator> = startEmulator({ speed: 0 });
// @ts-expect-error -- there is no such field
void nodecloud.getNodes({ filter: { lable: "web" } });
// @ts-expect-error -- the region is required
new nodecloud.Node("bad", { type: "g6-nanode-1" });
// @ts-expect-error -- a node has one form of user data
new nodecloud.Node("bad", { region: "us-east", type: "g6-nanode-1", userData: "#cloud-config", metadata: { userData: "" } });
// @ts-expect-error -- an image has a source
new nodecloud.Image("bad", { label: "bad" });
// @ts-expect-error -- an upload has a region
new nodecloud.Image("bad", { source: "disk.img" });
// @ts-expect-error -- a set has records or a zone file
new nodecloud.DomainRecordSet("bad", { domainId: zone.id });
// @ts-expect-error -- the type is required
void client.nodes.create({ region: "us-east" });
`;

export interface Consumers {
  /** The folder where the package is installed beside the newest SDK. */
  readonly installed: string;
  /** The errors of a compiler in a case's program and in the package's declarations. */
  complaints(of: Case): readonly string[];
  remove(): void;
}

/** Installs the packed package with each compiler and SDK of the cases. One process compiles all cases of a compiler. */
export async function compile(cases: readonly Case[]): Promise<Consumers> {
  const project = userProject();
  try {
    await install(project, cases);
    const printed = new Map<Case, readonly string[]>();
    for (const compiler of new Set(cases.map((one) => one.compiler))) {
      const own = cases.filter((one) => one.compiler === compiler);
      for (const [one, lines] of await build(project, compiler, own)) printed.set(one, lines);
    }
    return {
      installed: join(project.path, "newest/node_modules/pulumi-nodecloud"),
      complaints: (of) => {
        const lines = printed.get(of);
        if (lines === undefined) throw new Error(`TypeScript ${of.compiler} did not compile ${titleOf(of)}`);
        return lines.filter((line) => isOurs(line));
      },
      remove: () => project.remove(),
    };
  } catch (error) {
    project.remove();
    throw error;
  }
}

/** Whether an error is in the program, its options or this package, and not in the SDK's or Node's types. */
const isOurs = (line: string): boolean => {
  const [, owner = "pulumi-nodecloud"] = /node_modules\/((?:@[^/]+\/)?[^/]+)\/[^:]*: error/.exec(line) ?? [];
  return owner === "pulumi-nodecloud";
};

async function install(project: Project, cases: readonly Case[]): Promise<void> {
  const add = async (folder: string, ...packages: string[]) => {
    project.write(join(folder, "package.json"), { name: folder, private: true });
    await npmInstall(project, "--prefix", folder, ...packages);
  };
  const compilers = [...new Set(cases.map(({ compiler }) => compiler))];
  await add("compilers", ...compilers.map((version) => `typescript-${version}@npm:typescript@${version}`));
  const archive = await packThis(project.path);
  for (const sdk of new Set(cases.map((one) => one.sdk))) {
    const types = `@types/node@${installedVersion("@types/node")}`;
    await add(sdk, archive, `@pulumi/pulumi@${SDKS[sdk]}`, types);
    for (const file of ["main.ts", "main.cts", "main.mts"]) project.write(join(sdk, file), program);
  }
}

/** The output of a compiler for each case. Cases with different options share the declarations that it has read. */
async function build(
  project: Project,
  compiler: string,
  cases: readonly Case[],
): Promise<Map<Case, readonly string[]>> {
  const configs = new Map<string, Case>();
  for (const [index, one] of cases.entries()) {
    const config = `${one.sdk}/tsconfig.${compiler}.${index}.json`;
    configs.set(config, one);
    const base = { noEmit: true, types: ["node"], lib: ["es2022"], target: "es2020" };
    project.write(config, { compilerOptions: { ...base, ...one.options }, files: [one.file] });
  }
  const tsc = join("compilers/node_modules", `typescript-${compiler}`, "bin/tsc");
  const args = [tsc, "--build", "--verbose", "--pretty", "false", ...configs.keys()];
  const printed = await new Promise<string>((done, fail) => {
    const options = { cwd: project.path, maxBuffer: 64 * 1024 * 1024 };
    execFile(process.execPath, args, options, (error, stdout, stderr) => {
      // A program with errors gives an exit code, which is a number.
      if (error !== null && typeof error.code !== "number") fail(error);
      else done(`${stdout}${stderr}`);
    });
  });
  const found = new Map<Case, string[]>();
  let current: string[] | undefined;
  for (const line of printed.split("\n")) {
    const [, begun] = /Building project '(?:.*\/)?(\w+\/tsconfig\.[^']*)'/.exec(line) ?? [];
    const one = begun === undefined ? undefined : configs.get(begun);
    if (one !== undefined) found.set(one, (current = []));
    else if (/error TS\d+/.test(line)) (current ?? fail(line)).push(line);
  }
  return found;
}

function fail(line: string): never {
  throw new Error(`This error belongs to no project:\n${line}`);
}
