import { startTestEmulator, type TestEmulator } from "./emulator";
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
      if (destroys) await stack.destroy();
      stack.remove();
    }
  };

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
export function stackForEachTest(
  begin: (own: Own) => unknown,
  options: Parameters<typeof startTestEmulator>[0] = { speed: 60_000 },
): void {
  let own: Own;
  beforeEach(async () => {
    const emulator = await startTestEmulator(options);
    own = { emulator, stack: await testStack(emulator) };
    await begin(own);
  });
  afterEach(async () => {
    own.stack.remove();
    await own.emulator.stop();
  });
}
