/** How a probe asks: a TCP connection, an HTTP answer, or the banner of an SSH server. */
export type ProbeOf =
  | { readonly protocol: "tcp" }
  | {
      readonly protocol: "ssh";
      /** The accepted host keys, each as its type and its data in base64. If omitted, the banner is enough. */
      readonly hostKeys?: readonly string[] | undefined;
    }
  | {
      readonly protocol: "http";
      readonly path: string;
      /** The wanted status. If omitted, any from 200 to 299. */
      readonly status?: number | undefined;
      /** The value of the header `Host`, and the name that the certificate must have. */
      readonly host?: string | undefined;
      readonly tls: boolean;
      /** Whether the certificate must be valid. */
      readonly verify: boolean;
      /** A text that the answer must contain. */
      readonly body?: string | undefined;
    };

/** A question to an address, and how often it has to be answered. */
export type Probe = ProbeOf & {
  /** Its name in messages: `http :80/healthz`. */
  readonly what: string;
  /** Undefined if the object has no such address. */
  readonly address: string | undefined;
  /** The name of the address: `public IPv4 address`. */
  readonly addressName: string;
  readonly port: number;
  readonly intervalMs: number;
  /** The number of answers in a row. */
  readonly answers: number;
};

/** A probe whose address is known. */
export type Question = ProbeOf & Pick<Probe, "port"> & { readonly address: string };

/** The finding of a probe. */
export interface ProbeAnswer {
  readonly isReady: boolean;
  /** Whether anything answered. */
  readonly isHeard: boolean;
  /** The answer in words: `503`, `connection refused`. */
  readonly said: string;
}

/** The longest time of one probe. */
export const PROBE_MS = 5_000;
