import { type Client, createClient } from "../../api/client";
import { isApiError, isNodeCloudError, type NodeCloudError } from "../../api/errors";
import { type OperationSpec } from "../../api/operation";
import { type RequestEvent } from "../../api/request-event";
import { never } from "../../api/retry";
import { service } from "../../api/service";
import { type Configuration } from "../../provider/process/config";
import { type Context } from "../context";
import { lineOf } from "../errors";
import { type Check } from "./check";

/** A larger difference makes certificates look expired or not yet valid. */
const MOST_SKEW_S = 60;
const PATIENCE_MS = 20_000;

/** What each kind of object is read by. */
const READS: readonly {
  readonly what: string;
  readonly spec: OperationSpec;
  readonly read: (client: Client) => Promise<unknown>;
}[] = [
  { what: "nodes", spec: service.nodes.list, read: (client) => client.nodes.list() },
  { what: "MySQL databases", spec: service.mysql.list, read: (client) => client.mysql.list() },
  { what: "PostgreSQL databases", spec: service.postgresql.list, read: (client) => client.postgresql.list() },
  { what: "domains", spec: service.domains.list, read: (client) => client.domains.list() },
];

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
    READS.map(async ({ what, spec, read }) => {
      try {
        await read(client);
        return { what, spec, error: undefined };
      } catch (error) {
        if (!isNodeCloudError(error)) throw error;
        return { what, spec, error };
      }
    }),
  );
  const [first] = answers;
  const isReached = answers.some(({ error }) => error === undefined || isApiError(error));
  if (first?.error !== undefined && !isReached) return [unreachable(first.error)];
  return [
    { name: "endpoint", status: "ok", finding: `${baseUrl} answers` },
    clockOf(skews),
    ...tokenOf(answers),
  ];
}

const unreachable = (error: NodeCloudError): Check => ({
  name: "endpoint",
  status: "problem",
  finding: withoutHint(error),
  advice: error.hint ?? "check the base URL and the network",
});

/** The message of an error without its advice. */
function withoutHint(error: NodeCloudError): string {
  const line = lineOf(error);
  return error.hint === undefined ? line : line.replace(`; ${error.hint}`, "");
}

function clockOf(skews: readonly number[]): Check {
  const name = "clock";
  const [skew] = [...skews].sort((one, other) => Math.abs(one) - Math.abs(other));
  if (skew === undefined) return { name, status: "unknown", finding: "the service told no time" };
  if (Math.abs(skew) <= MOST_SKEW_S) return { name, status: "ok", finding: "as the service's" };
  return {
    name,
    status: "warning",
    finding: `this machine is ${Math.abs(skew)} s ${skew > 0 ? "ahead of" : "behind"} the service`,
    advice:
      "synchronise the clock of this machine: a wrong clock makes certificates invalid and the times in notes wrong",
  };
}

interface Answered {
  readonly what: string;
  readonly spec: OperationSpec;
  readonly error: NodeCloudError | undefined;
}

function tokenOf(answers: readonly Answered[]): Check[] {
  const refused = answers.find(({ error }) => isApiError(error, 401))?.error;
  if (refused !== undefined && answers.every(({ error }) => error !== undefined)) {
    const advice = "make a new token, and set it with `pulumi config set --secret nodecloud:token`";
    return [{ name: "token", status: "problem", finding: "the service refuses the token (401)", advice }];
  }
  const scopes = answers.map(({ what, spec, error }): Check => {
    const name = `read ${what}`;
    if (error === undefined) return { name, status: "ok", finding: "allowed" };
    if (isApiError(error, 403) || isApiError(error, 401)) {
      const advice = `give the token the scope ${spec.scopes.join(" and ")}, and its user access to the ${what}`;
      return { name, status: "problem", finding: withoutHint(error), advice };
    }
    return { name, status: "unknown", finding: lineOf(error), advice: "try again later" };
  });
  const write: Check = {
    name: "write",
    status: "unknown",
    finding:
      "no read tells whether the token may write, or whether its user has the grants add_nodes and add_databases",
    advice: "the first pulumi up tells: its error names the scope or the grant that is missing",
  };
  const images: Check = {
    name: "read images",
    status: "unknown",
    finding: "the service lists public images to every token, so no list tells",
    advice: `to manage images, give the token the scope ${service.images.get.scopes.join(" and ")}`,
  };
  return [{ name: "token", status: "ok", finding: "accepted" }, ...scopes, images, write];
}
