import { createSecureContext } from "node:tls";
import { z } from "zod";
import { quietly } from "../../api/quietly";
import { MAX_DELAY_MS, canBeSent } from "../control/faults";
import { fits, globOf } from "../control/globs";
import { type NodeFields } from "../kinds/node";

const MAX_PATTERN_LENGTH = 1000;
const MAX_RULES = 1000;
const MAX_SERVICES = 100;

const seconds = z.number().min(0);

const isKeyPair = (cert?: string, key?: string): boolean =>
  cert !== undefined && key !== undefined && quietly(() => createSecureContext({ cert, key })) !== undefined;

/** The protocols of the fields that not every protocol has. */
const ONLY_FOR: Readonly<Record<string, readonly string[]>> = {
  ...{ status: ["http", "https"], headers: ["http", "https"], body: ["http", "https"] },
  ...{ banner: ["tcp", "ssh"], cert: ["https"], key: ["https"] },
};

/** A program that answers on a port of a machine. */
const service = z
  .strictObject({
    port: z.int().min(1).max(65_535),
    protocol: z.enum(["tcp", "ssh", "http", "https"]).default("tcp"),
    /** Emulated seconds from the moment at which the node is running. */
    afterSeconds: seconds.default(0),
    /** Emulated seconds after which it is gone. @default it stays */
    forSeconds: seconds.optional(),
    /** Real time before the answer or the banner. */
    delayMs: z.number().min(0).max(MAX_DELAY_MS).optional(),
    /** How it treats a connection instead of answering. */
    failure: z.enum(["close", "reset", "hang"]).optional(),
    status: z.int().min(200).max(599).optional(),
    headers: z.record(z.string(), z.string()).optional(),
    /** @default the label of the node, on a line */
    body: z.json().optional(),
    /** The first text on a connection. @default for `ssh` an identification string, for `tcp` none */
    banner: z.string().optional(),
    /** For `https`: the certificates and the private key, in PEM. */
    cert: z.string().optional(),
    key: z.string().optional(),
  })
  .superRefine((given, { addIssue }) => {
    for (const [field, protocols] of Object.entries(ONLY_FOR)) {
      if (!(field in given) || protocols.includes(given.protocol)) continue;
      addIssue({
        code: "custom",
        path: [field],
        message: `does not apply to the protocol ${given.protocol}`,
      });
    }
  })
  .refine(({ protocol, cert, key }) => protocol !== "https" || isKeyPair(cert, key), {
    path: ["cert"],
    error: "and key must be a certificate and its private key in PEM for the protocol https",
  })
  .refine(({ headers }) => canBeSent(headers), { path: ["headers"], error: "are not valid HTTP headers" });

const pattern = z.string().max(MAX_PATTERN_LENGTH).optional();

/**
 * The body of `PUT /_emulator/machines`. The first rule that matches a node has its services.
 * @internal
 */
export const machineRules = z
  .array(
    z.strictObject({
      id: z.int().optional(),
      label: pattern,
      image: pattern,
      services: z.array(service).max(MAX_SERVICES),
    }),
  )
  .max(MAX_RULES);

export type MachineRules = z.output<typeof machineRules>;
export type Service = MachineRules[number]["services"][number];

/** The services of a node that no rule matches. An unprivileged process can listen on the second port of each. */
export const DEFAULT_SERVICES: readonly Service[] = [
  { port: 22, protocol: "ssh", afterSeconds: 0 },
  { port: 2222, protocol: "ssh", afterSeconds: 0 },
  { port: 80, protocol: "http", afterSeconds: 0 },
  { port: 8080, protocol: "http", afterSeconds: 0 },
];

export function servicesOf(rules: MachineRules, { id, label, image }: NodeFields): readonly Service[] {
  const matches = (glob: string | undefined, text: string) => glob === undefined || fits(globOf(glob), text);
  const rule = rules.find(
    (one) =>
      (one.id === undefined || one.id === id) && matches(one.label, label) && matches(one.image, image ?? ""),
  );
  return rule?.services ?? DEFAULT_SERVICES;
}
