import { join } from "node:path";
import { installedWith, type Project, SDK_RANGE, SDKS } from "../helpers/packed";
import { ROOT } from "../helpers/programs";
import { WHOLE } from "../helpers/whole";

/** The tests in this process that depend on undocumented parts of the SDK. */
const inProcess = [
  "test/functions/mocks.test.ts",
  "test/provider/program/run-mode.test.ts",
  "test/provider/program/resource.test.ts",
];

/**
 * The tests of each kind in components, and others with the engine that depend on the SDK. CI runs them with the SDK of
 * package-lock.json, which is almost the newest one.
 */
const withTheOldest = ["components"].map(inMatrix);

/** What only `npm run test:all` adds. */
const more = [
  ...["labels", "names", "passing-on", "progress", "steady", "transformations", "unknown-values"].map(
    inMatrix,
  ),
  "test/stacks/functions.test.ts",
];
const withTheNewest = ["components", "names", "steady", "transformations"].map(inMatrix);

function inMatrix(name: string): string {
  return `test/matrix/${name}.test.ts`;
}

const oldest = [...inProcess, ...withTheOldest, ...(WHOLE ? more : [])];
const newest = WHOLE ? [...inProcess, ...withTheNewest] : [];

describe.each(
  [
    { named: "the oldest supported SDK", sdk: SDKS.oldest, tested: oldest },
    { named: "the newest SDK in the registry", sdk: SDK_RANGE, tested: newest },
  ].filter(({ tested }) => tested.length > 0),
)("with $named ($sdk),", ({ sdk, tested }) => {
  let installed: Project;

  beforeAll(async () => {
    installed = await installedWith(sdk);
  });

  afterAll(() => installed?.remove());

  test.each(tested)("%s passes", async (file) => {
    await runWith(installed, file);
  });
});

/** Runs a test file with the installed packages in its programs, and with the installed SDK in this package's sources. */
async function runWith({ path, run }: Project, file: string): Promise<void> {
  const sdk = join(path, "node_modules/@pulumi/pulumi");
  const args = [
    join(ROOT, "node_modules/jest/bin/jest.js"),
    ...["--rootDir", ROOT, "--config", join(ROOT, "jest.config.mjs"), "--runInBand"],
    ...["--moduleNameMapper", JSON.stringify({ "^@pulumi/pulumi($|/.*)": `${sdk}$1` })],
    ...["--runTestsByPath", join(ROOT, file)],
  ];
  const { NODECLOUD_MISSING_TOOLS, NODECLOUD_REQUIRE_TOOLS } = process.env;
  await run(process.execPath, args, {
    env: { NODECLOUD_MISSING_TOOLS, NODECLOUD_REQUIRE_TOOLS, NODECLOUD_INSTALLED: path },
  });
}
