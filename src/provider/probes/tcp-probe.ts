import { connect } from "node:net";
import { type ProbeAnswer, type Question } from "./probe";
import { failed } from "./failure";
import { HostKeyExchange } from "./ssh-host-key";

/** The longest text before the end of a banner's line. RFC 4253 allows lines before the banner. */
const MAX_BANNER = 4_096;

const NOT_SSH = "it is not an SSH server";

/** Judges what a server has sent so far. Undefined until it is known. Throws if it is no SSH server. */
type Judge = (chunk: Buffer) => Omit<ProbeAnswer, "isHeard"> | undefined;

/** Connects. Of an SSH server it also reads the banner, or asks for the host keys, for one type of key after the other. */
export async function askTcp(question: Question, signal: AbortSignal): Promise<ProbeAnswer> {
  if (question.protocol !== "ssh" || question.hostKeys === undefined) return connectOnce(question, signal);
  const types = new Set(question.hostKeys.map(typeOf));
  let last: ProbeAnswer | undefined;
  for (const type of types) {
    last = await connectOnce(
      { ...question, hostKeys: question.hostKeys.filter((key) => typeOf(key) === type) },
      signal,
    );
    if (last.isReady || !last.isHeard) return last;
  }
  return last ?? connectOnce(question, signal);
}

const typeOf = (hostKey: string): string | undefined => hostKey.split(" ")[0];

function connectOnce(question: Question, signal: AbortSignal): Promise<ProbeAnswer> {
  const { address, port } = question;
  return new Promise((resolve) => {
    const socket = connect({ host: address, port, signal });
    let isConnected = false;
    let hasSpoken = false;
    let judge: Judge = () => undefined;
    const end = (answer: ProbeAnswer) => {
      resolve(answer);
      socket.destroy();
    };
    const heard = (isReady: boolean, said: string) => {
      end({ isReady, isHeard: true, said });
    };
    socket.once("connect", () => {
      isConnected = true;
      if (question.protocol !== "ssh") return heard(true, "connected");
      judge = judgeOf(question.hostKeys, (bytes) => socket.write(bytes));
    });
    socket.on("data", (chunk) => {
      hasSpoken = true;
      try {
        const found = judge(chunk);
        if (found !== undefined) heard(found.isReady, found.said);
      } catch (error) {
        heard(false, error instanceof Error ? error.message : NOT_SSH);
      }
    });
    socket.once("end", () => {
      heard(false, hasSpoken ? NOT_SSH : "closed without a banner");
    });
    socket.once("error", (error) => {
      if (isConnected && error.name === "AbortError")
        heard(false, hasSpoken ? NOT_SSH : "connected, but silent");
      else end(failed(error));
    });
  });
}

function judgeOf(hostKeys: readonly string[] | undefined, send: (bytes: Buffer | string) => void): Judge {
  const exchange = hostKeys && new HostKeyExchange(hostKeys, send);
  let text = "";
  let isSsh = false;
  return (chunk) => {
    if (!isSsh) {
      text += chunk.toString("latin1");
      isSsh = /^SSH-(2\.0|1\.99)-[^\n]*\n/m.test(text);
      if (!isSsh && text.length > MAX_BANNER) throw new Error(NOT_SSH);
      if (isSsh && exchange === undefined) return { isReady: true, said: "the banner of an SSH server" };
    }
    const isAccepted = exchange?.take(chunk);
    if (isAccepted === undefined) return undefined;
    return { isReady: isAccepted, said: isAccepted ? "the host key" : "another host key" };
  };
}
