import { createConnection } from "node:net";

/** After so many refusals in a row, the engine is gone. A busy listener may refuse one connection. */
const REFUSALS = 3;
const PAUSE_MS = 200;

/**
 * Calls `onGone` once the engine no longer listens. It holds a connection open, which the system closes when the engine ends, and then
 * tries to connect. A slow or stopped engine still accepts connections. If nobody ever listened at the address, it does nothing: no engine
 * started the process. An engine that does not end the process waits for open connections at its own end, so `holds` is false for it.
 */
export function watchEngine(address: string, onGone: () => void, { holds = true } = {}): void {
  const colon = address.lastIndexOf(":");
  const place = { host: address.slice(0, colon), port: Number(address.slice(colon + 1)) };
  if (!(place.port > 0 && place.port < 65_536)) return;
  let wasThere = false;
  let refusals = 0;
  const hold = () => {
    // The watch must not keep the process alive.
    const socket = createConnection(place).unref();
    socket.once("connect", () => {
      wasThere = true;
      refusals = 0;
      if (!holds) socket.destroy();
    });
    socket.once("error", ({ code }: NodeJS.ErrnoException) => {
      if (code === "ECONNREFUSED") refusals++;
    });
    socket.once("close", () => {
      const isRefused = refusals >= REFUSALS;
      if (isRefused && wasThere) onGone();
      if (!isRefused) setTimeout(hold, PAUSE_MS).unref();
    });
    // The end of the connection is only seen if all data is read.
    socket.resume();
  };
  hold();
}
