import { mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { declaredBy, type DeclaredResource, filesIn, type OutputsOf } from "./adopting-program";
import { appliedState } from "./applied-state";
import { nodecloud, type Printed } from "./command-line";
import { startTestEmulator, type TestEmulator, withReader } from "./emulator";
import { ROOT } from "./programs";

const CONFIGURATIONS = join(ROOT, "test/cli/import/from/configurations");
const PROVIDER = 'provider["registry.terraform.io/linode/linode"]';

/** A resource of a state. */
interface Resource {
  readonly module?: string;
  readonly key?: string | number;
  readonly attributes: object;
  readonly dependencies?: readonly string[];
  readonly sensitive_attributes?: readonly object[];
}

/** A state with these resources: `linode_domain.main`. */
export const stateOf = (resources: readonly (readonly [address: string, resource: Resource])[]) => ({
  version: 4,
  terraform_version: "1.9.8",
  serial: 1,
  lineage: "5e3f8f0c-8a0f-4c64-9b0e-4c8a2a1f0d11",
  resources: resources.map(([address, { module, key, ...instance }]) => {
    const [type, name] = address.split(".");
    return {
      ...{ module, mode: "managed", type, name, provider: PROVIDER },
      instances: [{ index_key: key, schema_version: 0, sensitive_attributes: [], ...instance }],
    };
  }),
});

/** A folder and an account, in which a test runs `nodecloud import`. */
export interface Importing {
  readonly emulator: TestEmulator;
  readonly folder: string;
  run(...args: string[]): Promise<Printed>;
  runWith(token: string, ...args: string[]): Promise<Printed>;
  /** Writes a file of the folder. */
  write(file: string, content: unknown): void;
  /** Makes the objects of a configuration, and writes its state to `own.tfstate`. */
  apply(configuration: string): Promise<void>;
  /** Creates an object after an hour, and returns its id. */
  create(path: string, body: object): Promise<string>;
  domain(name: string): Promise<string>;
  node(label: string): Promise<string>;
  /** The files of the program that was written to a folder. */
  files(name?: string): Readonly<Record<string, string>>;
  /** The resources of the program that was written to a folder. */
  declared(name?: string, outputsOf?: OutputsOf): readonly DeclaredResource[];
}

/** Gives each test of a file its own folder and account. Their token `READER` may not read nodes. */
export function importingForEachTest(begin: (own: Importing) => void): void {
  let emulator: TestEmulator;
  let folder: string;
  beforeEach(async () => {
    emulator = await startTestEmulator({ accounts: withReader({ without: ["nodes"] }) });
    folder = mkdtempSync(join(tmpdir(), "from-terraform-"));
    begin(importingIn(emulator, folder));
  });
  afterEach(async () => {
    rmSync(folder, { recursive: true });
    await emulator.stop();
  });
}

function importingIn(emulator: TestEmulator, folder: string): Importing {
  const runWith: Importing["runWith"] = (token, ...args) =>
    nodecloud(["import", ...args], {
      directory: folder,
      environment: { NODECLOUD_TOKEN: token, NODECLOUD_BASE_URL: emulator.url },
    });
  const write: Importing["write"] = (file, content) => {
    mkdirSync(dirname(join(folder, file)), { recursive: true });
    writeFileSync(join(folder, file), typeof content === "string" ? content : JSON.stringify(content));
  };
  const create: Importing["create"] = async (path, body) => {
    const answer = await emulator.call("POST", path, { body });
    if (answer.status !== 200) throw new Error(JSON.stringify(answer.body));
    emulator.clock.advance(3600);
    return String(answer.body["id"]);
  };
  return {
    ...{ emulator, folder, runWith, write, create },
    run: (...args) => runWith(emulator.token, ...args),
    apply: async (configuration) => {
      const file = join(CONFIGURATIONS, configuration, "terraform.tfstate");
      write("own.tfstate", await appliedState(emulator, readFileSync(file, "utf8")));
    },
    domain: (name) => create("/domains", { domain: name, type: "master", soa_email: "dns@example.org" }),
    node: (label) => create("/node/instances", { region: "us-east", type: "g6-nanode-1", label }),
    files: (name = "infra") => filesIn(join(folder, name)),
    declared: (name = "infra", outputsOf = undefined) =>
      declaredBy(join(folder, name), "index.ts", outputsOf),
  };
}
