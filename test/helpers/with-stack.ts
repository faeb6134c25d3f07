import { type TestEmulator } from "./emulator";
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
