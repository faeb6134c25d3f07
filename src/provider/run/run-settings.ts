import { cached } from "../../api/cached";
import { invalidSetting } from "../base/errors";
import { type Environment } from "../base/pulumi-home";
import { quietly } from "../../api/quietly";
import { lastingUrn } from "../describe/urn";
import { type readStackSettings } from "../engine/stack-settings";
import {
  type Configuration,
  readConfiguration,
  readPolicy,
  SETTINGS,
  strangeKeys,
  withoutTextsOfStack,
} from "../settings/config";
import { type Stack } from "./stack";

/** The settings of the provider in one process: those that the engine hands over, of the environment, and of the stack as it is now. */
export class RunSettings {
  readonly #heard = new Map<string | undefined, Promise<void>>();
  #configured: (key: string) => string | undefined = () => undefined;
  #isExplicitlyConfigured = false;
  #read: Configuration | undefined;
  /** The current policy of the stack, if only that of the last `up` was handed over. */
  #policyNow: Pick<Configuration, "deny" | "allow"> | undefined;

  constructor(
    private readonly environment: Environment,
    private readonly types: readonly string[],
    private readonly readSettings: typeof readStackSettings,
    private readonly stack: Stack,
  ) {}

  /**
   * Stores the configuration. It is synchronous, because another call may arrive before anything asynchronous is done. `isExplicit`: whether it is known to be
   * that of an explicit provider.
   */
  configure(configured: (key: string) => string | undefined, isExplicit = false): void {
    this.#configured = configured;
    this.#isExplicitlyConfigured = isExplicit;
    this.#read = undefined;
  }

  get configuration(): Configuration {
    // Each resource of a program asks for it.
    const all = (this.#read ??= readConfiguration(this.#configured, this.environment, this.types));
    const now = this.#policyNow;
    return now === undefined ? all : { ...all, deny: [...all.deny, ...now.deny], allow: now.allow };
  }

  /**
   * Reads the policy of the stack as it is now, for a destruction: it hands over that of the last `up`, in which an allowance may have been withdrawn since.
   * A kind that keeps no URN may not know the stack.
   */
  async hearPolicy(stack = this.stack.inProject): Promise<void> {
    await cached(this.#heard, stack, async () => {
      const settings = await this.readSettings(stack?.split("/").at(-1), this.environment);
      // A misspelt key may be a policy. With a program, the program refuses it.
      const [strange] = strangeKeys(settings.keys(), stack?.split("/")[0]);
      if (strange !== undefined) throw invalidSetting(strange);
      const { deny, allow } = readPolicy((key) => settings.get(key), this.environment, this.types);
      const before = this.#policyNow ?? { deny: [], allow: this.#ownAllowances() };
      this.#policyNow = { deny: [...before.deny, ...deny], allow: [...before.allow, ...allow] };
    });
  }

  /** The allowances of an explicit provider in the program, as the last `up` has left them. */
  #ownAllowances(): Configuration["allow"] {
    const text = this.#configured(SETTINGS.allow.key);
    const own = withoutTextsOfStack(text) ?? (this.#isExplicitlyConfigured ? text : undefined);
    return readPolicy((key) => (key === SETTINGS.allow.key ? own : undefined), {}, this.types).allow;
  }

  /** The id of the object that the environment tells a resource to adopt. A wrong value is an error of the check. */
  importOf(urn = ""): string | undefined {
    return quietly(() => this.configuration)?.imports?.get(lastingUrn(urn));
  }

  /** Whether the provider's own settings, and not the environment, lead to the account. */
  get hasOwnAddress(): boolean {
    return (this.#configured(SETTINGS.baseUrl.key) ?? "") !== "";
  }
}
