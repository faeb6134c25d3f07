import { startTestEmulator, type TestEmulator } from "./emulator";
import { isOurs } from "./outcome";
import { type TestStack, testStack } from "./stack";

interface Options {
  /** Files beside each program. */
  readonly files?: Readonly<Record<string, string>>;
  /** Whether to destroy the objects of a stack at the end. */
  readonly destroys?: boolean;
}

/** Runs tests that share an emulator, each with its own stack. */
export const stacksOn =
  (emulator: () => TestEmulator, { files = {}, destroys = false }: Options = {}) =>
  async (source: string, use: (stack: TestStack) => Promise<void>): Promise<void> => {
    const stack = await testStack(emulator(), source);
    for (const [file, content] of Object.entries(files)) stack.folder.write(file, content);
    try {
      await use(stack);
    } finally {
      if (destroys && isOurs(stack.rawState())) await stack.destroy();
      stack.remove();
    }
  };

/** Destroys what the stack has. Without resources in the state, this saves a run of the engine. */
export async function expectDestroyed(stack: TestStack): Promise<void> {
  if (isOurs(stack.rawState())) expect(await stack.destroy()).toMatchObject({ code: 0 });
}

/** Expects an empty preview, and an account without drift. */
export async function expectSettled(stack: TestStack): Promise<void> {
  expect(await stack.preview("--expect-no-changes")).toMatchObject({ code: 0 });
  expect(await stack.drift()).toMatchObject({ code: 0 });
}

interface Own {
  readonly emulator: TestEmulator;
  readonly stack: TestStack;
}

/** Gives each test of a file its own emulator and stack. `begin` receives and prepares them. */
export function stackForEachTest(begin: (own: Own) => unknown, options?: EmulatorOptions): void {
  let own: Own;
  beforeEach(async () => {
    own = await newStack(options);
    await begin(own);
  });
  afterEach(() => remove(own));
}

/** Gives the tests of a file, or of the `describe` around the call, one emulator and one stack. Each test begins where the one before it ended. */
export function stackForAllTests(begin: (own: Own) => unknown, options?: EmulatorOptions): void {
  let own: Own;
  beforeAll(async () => {
    own = await newStack(options);
    await begin(own);
  });
  afterAll(() => remove(own));
}

type EmulatorOptions = Parameters<typeof startTestEmulator>[0];

async function newStack(options: EmulatorOptions = { speed: 60_000 }): Promise<Own> {
  const emulator = await startTestEmulator(options);
  return { emulator, stack: await testStack(emulator) };
}

async function remove({ emulator, stack }: Own): Promise<void> {
  stack.remove();
  await emulator.stop();
}
