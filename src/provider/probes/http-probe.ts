import * as http from "node:http";
import * as https from "node:https";
import { isIP } from "node:net";
import { packageVersion } from "../base/package-version";
import { failed } from "./failure";
import { type ProbeAnswer, type Question } from "./probe";

type HttpQuestion = Extract<Question, { protocol: "http" }>;

/** The text of an answer is read up to here. */
const MAX_BYTES = 64 * 1024;

/** Sends one GET without a body. Redirects are not followed. */
export function askHttp(question: HttpQuestion, signal: AbortSignal): Promise<ProbeAnswer> {
  const { address, port, path, host, tls, verify } = question;
  return new Promise((resolve) => {
    const isName = host !== undefined && isIP(host) === 0;
    const request = (tls ? https : http).get(
      {
        ...{ host: address, port, path, signal, agent: false, rejectUnauthorized: verify },
        ...(isName ? { servername: host.replace(/:\d+$/, "") } : {}),
        headers: {
          "user-agent": `pulumi-nodecloud/${packageVersion()}`,
          accept: "*/*",
          ...(host === undefined ? {} : { host }),
        },
      },
      (response) => {
        judge(question, response).then(resolve, (error: unknown) => {
          resolve(failed(error));
        });
      },
    );
    let isConnected = false;
    request.once("socket", (socket) => socket.once("connect", () => (isConnected = true)));
    request.once("error", (error) => {
      const answer = failed(error);
      resolve(
        isConnected && !answer.isHeard
          ? { ...answer, isHeard: true, said: `connected, but ${answer.said}` }
          : answer,
      );
    });
  });
}

async function judge({ status, body }: HttpQuestion, response: http.IncomingMessage): Promise<ProbeAnswer> {
  const found = response.statusCode ?? 0;
  const isRight = status === undefined ? found >= 200 && found < 300 : found === status;
  const answer = (isReady: boolean, said: string) => ({ isReady, isHeard: true, said });
  try {
    if (!isRight || body === undefined) return answer(isRight, String(found));
    return (await contains(response, body))
      ? answer(true, String(found))
      : answer(false, `${found} without the wanted text`);
  } finally {
    response.destroy();
  }
}

async function contains(response: AsyncIterable<unknown>, text: string): Promise<boolean> {
  const wanted = Buffer.from(text);
  let read = Buffer.alloc(0);
  for await (const chunk of response) {
    read = Buffer.concat([read, chunk as Buffer]);
    if (read.subarray(0, MAX_BYTES).includes(wanted)) return true;
    if (read.length >= MAX_BYTES) return false;
  }
  return false;
}
