import { createClient } from "../../api/client";
import { isApiError, isNodeCloudError, type NodeCloudError } from "../../api/errors";
import { type OperationSpec } from "../../api/operation";
import { type RequestEvent } from "../../api/request-event";
import { never } from "../../api/retry";
import { service } from "../../api/service";
import { type Configuration } from "../../provider/settings/config";
import { type Context } from "../context";
import { lineOf } from "../errors";
import { type Check, outcomesOf } from "./check";
import { NEW_TOKEN } from "../../provider/settings/config";

/** A larger difference makes certificates look expired or not yet valid. */
const MOST_SKEW_S = 60;
const PATIENCE_MS = 20_000;

/** The families whose lists tell what the token may read, and what messages call their objects. */
const READS = {
  nodes: "nodes",
  mysql: "MySQL databases",
  postgresql: "PostgreSQL databases",
  domains: "domains",
} as const;

/** Asks the service: whether it answers, whether it accepts the token, what the token may read, and what time it is there. */
export async function checkService(
  { signal }: Context,
  { baseUrl, token }: Configuration,
  now: () => number,
): Promise<Check[]> {
  const skews: number[] = [];
  const onRequest = ({ serverTime }: RequestEvent) => {
    if (serverTime !== undefined) skews.push(Math.round((now() - serverTime) / 1000));
  };
  const client = createClient({
    baseUrl,
    token,
    retry: never,
    timeoutMs: PATIENCE_MS,
    stop: signal,
    onRequest,
  });
  const answers = await Promise.all(
    (Object.keys(READS) as (keyof typeof READS)[]).map(async (family): Promise<Answered> => {
      const answered = { what: READS[family], spec: service[family].list };
      try {
        await client[family].list();
        return answered;
      } catch (error) {
        if (!isNodeCloudError(error)) throw error;
        return { ...answered, error };
      }
    }),
  );
  const [first] = answers;
  const { ok, problem } = outcomesOf("endpoint");
  const isReached = answers.some(({ error }) => error === undefined || isApiError(error));
  if (first?.error !== undefined && !isReached)
    return [problem(withoutHint(first.error), first.error.hint ?? "check the base URL and the network")];
  return [ok(`${baseUrl} answers`), clockOf(skews), ...tokenOf(answers)];
}

/** The message of an error without its advice. */
function withoutHint(error: NodeCloudError): string {
  const line = lineOf(error);
  return error.hint === undefined ? line : line.replace(`; ${error.hint}`, "");
}

function clockOf(skews: readonly number[]): Check {
  const { ok, warning, unknown } = outcomesOf("clock");
  const [skew] = [...skews].sort((one, other) => Math.abs(one) - Math.abs(other));
  if (skew === undefined) return unknown("the service sent no time");
  if (Math.abs(skew) <= MOST_SKEW_S) return ok("as the service's");
  return warning(
    `this machine is ${Math.abs(skew)} s ${skew > 0 ? "ahead of" : "behind"} the service`,
    "synchronise the clock of this machine: a wrong clock makes certificates invalid and the times in notes wrong",
  );
}

interface Answered {
  readonly what: string;
  readonly spec: OperationSpec;
  /** Undefined if the list could be read. */
  readonly error?: NodeCloudError;
}

function tokenOf(answers: readonly Answered[]): Check[] {
  const token = outcomesOf("token");
  const isRefused = answers.some(({ error }) => isApiError(error, 401));
  if (isRefused && answers.every(({ error }) => error !== undefined))
    return [token.problem("the service refuses the token (401)", NEW_TOKEN)];
  const scopes = answers.map(({ what, spec, error }): Check => {
    const { ok, problem, unknown } = outcomesOf(`read ${what}`);
    if (error === undefined) return ok("allowed");
    if (!isApiError(error, 403) && !isApiError(error, 401)) return unknown(lineOf(error), "try again later");
    const advice = isApiError(error, 401)
      ? NEW_TOKEN
      : `give the token the scope ${spec.scopes.join(" and ")}, and its user access to the ${what}`;
    return problem(withoutHint(error), advice);
  });
  const images = outcomesOf("read images").unknown(
    "the service lists public images to every token, so no list shows it",
    `to manage images, give the token the scope ${service.images.get.scopes.join(" and ")}`,
  );
  const write = outcomesOf("write").unknown(
    "no read shows whether the token may write, which the backups of databases need even to be read, or whether its user has the grants add_nodes and add_databases",
    "run `pulumi up`: its error names the scope or the grant that is missing",
  );
  return [token.ok("accepted"), ...scopes, images, write];
}
