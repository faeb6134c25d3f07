import { join } from "node:path";
import { installedWith, type Project, SDK_RANGE, SDKS } from "../helpers/packed";
import { ROOT } from "../helpers/programs";

/** The tests in this process that depend on undocumented parts of the SDK. */
const inProcess = [
  "test/functions/mocks.test.ts",
  "test/provider/program/run-mode.test.ts",
  "test/provider/program/resource.test.ts",
];

/** The tests with the engine that depend on the SDK. */
const withTheOldest = [
  "test/matrix/components.test.ts",
  "test/matrix/passing-on.test.ts",
  "test/matrix/unknown-values.test.ts",
  "test/nightly/labels.test.ts",
  "test/nightly/names.test.ts",
  "test/nightly/progress.test.ts",
  "test/nightly/steady.test.ts",
  "test/nightly/transformations.test.ts",
  "test/stacks/functions.test.ts",
];

/** CI runs the tests with the SDK of package-lock.json, which is almost the newest one. */
const withTheNewest = [
  "test/matrix/components.test.ts",
  "test/nightly/names.test.ts",
  "test/nightly/steady.test.ts",
  "test/nightly/transformations.test.ts",
];

describe.each([
  { named: "the oldest supported SDK", sdk: SDKS.oldest, tested: [...inProcess, ...withTheOldest] },
  { named: "the newest SDK in the registry", sdk: SDK_RANGE, tested: [...inProcess, ...withTheNewest] },
])("with $named ($sdk),", ({ sdk, tested }) => {
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
