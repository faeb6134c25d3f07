import { type FaultPlan } from "../../../src/emulator/control/faults";
import { type Chance, drawn, pick } from "../chance";
import { type Program } from "./program";

/** A run of a program before the one that ends it: it does not reach all of it, or the service refuses or loses some of its requests. */
export interface Trouble {
  readonly about: string;
  /** The flags of its preview and of its `up`. */
  readonly flags: readonly string[];
  readonly continues: boolean;
  readonly faults: readonly Pick<FaultPlan, "method" | "path" | "times" | "effect">[];
  /** Whether all classes are denied. */
  readonly isGuarded: boolean;
}

const PATHS = ["**", "**", "node/**", "databases/**", "domains**", "images**"] as const;
const METHODS = ["POST", "PUT", "DELETE", "GET"] as const;
const refusal = (status: number): FaultPlan["effect"] => ({
  status,
  body: { errors: [{ reason: "Planned." }] },
});
const EFFECTS = [
  refusal(400),
  refusal(403),
  refusal(409),
  refusal(500),
  "drop-response",
  "drop-request",
] as const satisfies readonly FaultPlan["effect"][];
/** The client repeats a request up to nine times. */
const TIMES = [1, 2, 12, 12] as const;

export function troubleOf(program: Program, chance: Chance): Trouble | undefined {
  const kind = pick(chance, ["none", "faults", "faults", "target", "refresh"]);
  if (kind === "none") return undefined;
  const continues = chance() < 0.3;
  const isGuarded = chance() < 0.3;
  const faults =
    kind === "faults" || chance() < 0.3
      ? Array.from({ length: 1 + Math.floor(chance() * 3) }, () => ({
          method: pick(chance, METHODS),
          path: `/v4/${pick(chance, PATHS)}`,
          times: pick(chance, TIMES),
          effect: pick<FaultPlan["effect"]>(chance, EFFECTS),
        }))
      : [];
  const targets = drawn([...program.values()], 1 + Math.floor(chance() * 2), chance).map(({ name }) => name);
  if (kind === "target" && targets.length === 0) return undefined;
  const flags =
    kind === "refresh"
      ? ["--refresh"]
      : kind === "target"
        ? targets.map((name) => `--target=**::${name}`)
        : [];
  const about = [
    ...flags,
    ...(continues ? ["--continue-on-error"] : []),
    ...(isGuarded ? ["guarded"] : []),
    ...faults.map((fault) => JSON.stringify(fault)),
  ];
  return { about: about.join(" "), flags, continues, faults, isGuarded };
}
