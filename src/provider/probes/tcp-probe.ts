import { connect } from "node:net";
import { type Answer, type Question } from "./probe";
import { failed } from "./failure";

/** The longest text before the end of a banner's line. RFC 4253 allows lines before the banner. */
const MAX_BANNER = 4_096;

/** Connects. Of an SSH server it also reads the banner. */
export function askTcp({ protocol, address, port }: Question, signal: AbortSignal): Promise<Answer> {
  return new Promise((resolve) => {
    const socket = connect({ host: address, port, signal });
    let isConnected = false;
    let text = "";
    const end = (answer: Answer) => {
      resolve(answer);
      socket.destroy();
    };
    const heard = (isReady: boolean, said: string) => {
      end({ isReady, isHeard: true, said });
    };
    socket.once("connect", () => {
      isConnected = true;
      if (protocol === "tcp") heard(true, "connected");
    });
    socket.on("data", (chunk) => {
      text += chunk.toString("latin1");
      if (/^SSH-(2\.0|1\.99)-[^\n]*\n/m.test(text)) heard(true, "the banner of an SSH server");
      else if (text.length > MAX_BANNER) heard(false, "it is not an SSH server");
    });
    socket.once("end", () => {
      heard(false, text === "" ? "closed without a banner" : "it is not an SSH server");
    });
    socket.once("error", (error) => {
      if (isConnected && error.name === "AbortError") heard(false, "connected, but no banner");
      else end(failed(error));
    });
  });
}
