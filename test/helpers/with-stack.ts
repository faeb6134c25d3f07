import { startTestEmulator, type TestEmulator } from "./emulator";
import { type TestStack, testStack } from "./stack";

interface Options {
  /** Written beside each program. */
  readonly files?: Readonly<Record<string, string>>;
  /** Whether the objects of a stack go with it. */
  readonly destroys?: boolean;
}

/** Gives tests that share an emulator a stack of their own for as long as they use it. */
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

/** Expects that there is nothing more to do, and that the account is as the state has it. */
export async function expectSettled(stack: TestStack): Promise<void> {
  expect(await stack.preview("--expect-no-changes")).toMatchObject({ code: 0 });
  expect(await stack.drift()).toMatchObject({ code: 0 });
}

interface Own {
  readonly emulator: TestEmulator;
  readonly stack: TestStack;
}

/** Gives each test of a file an emulator and a stack of its own, which `begin` takes over and prepares. */
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
