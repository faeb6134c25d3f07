import { createConnection } from "node:net";

/** Refusals in a row that say that the engine is gone: a listener that is merely busy may refuse one. */
const REFUSALS = 3;
const PAUSE_MS = 200;

/**
 * Calls `onGone` once the engine no longer listens. It holds a connection open, which the system closes when the engine ends, and then
 * tries to connect. An engine that is slow or stopped still accepts connections. An address at which nobody ever listened says nothing:
 * the process was not started by an engine.
 */
export function watchEngine(address: string, onGone: () => void): void {
  const colon = address.lastIndexOf(":");
  const place = { host: address.slice(0, colon), port: Number(address.slice(colon + 1)) };
  if (!(place.port > 0 && place.port < 65_536)) return;
  let wasThere = false;
  let refusals = 0;
  const hold = () => {
    // No process stays for the sake of the watch.
    const socket = createConnection(place).unref();
    socket.once("connect", () => {
      wasThere = true;
      refusals = 0;
    });
    socket.once("error", ({ code }: NodeJS.ErrnoException) => {
      if (code === "ECONNREFUSED") refusals++;
    });
    socket.once("close", () => {
      const isRefused = refusals >= REFUSALS;
      if (isRefused && wasThere) onGone();
      if (!isRefused) setTimeout(hold, PAUSE_MS).unref();
    });
    // What is not read keeps the end of the connection from being seen.
    socket.resume();
  };
  hold();
}
