import { type ChildProcess, spawn } from "node:child_process";
import { once } from "node:events";
import { type AddressInfo, createServer, type Server, type Socket } from "node:net";
import { watchEngine } from "../../../src/provider/engine/watch-engine";

const servers: Server[] = [];
let child: ChildProcess | undefined;
afterEach(() => {
  for (const server of servers.splice(0)) server.close();
  child?.kill("SIGKILL");
});

/** A listener, and a function that ends it. */
async function listener(onConnection: (socket: Socket) => void = () => undefined) {
  const sockets = new Set<Socket>();
  const server = createServer((socket) => {
    sockets.add(socket.on("error", () => undefined));
    onConnection(socket);
  });
  servers.push(server.listen(0, "127.0.0.1"));
  await once(server, "listening");
  const { port } = server.address() as AddressInfo;
  return {
    isConnected: once(server, "connection"),
    address: `127.0.0.1:${port}`,
    async end() {
      const closed = once(server, "close");
      server.close();
      for (const socket of sockets) socket.destroy();
      await closed;
    },
  };
}

/** Watches an address, and returns whether its engine counts as gone. */
function watched(address: string) {
  const seen = { isGone: false };
  const gone = new Promise<void>((resolve) =>
    watchEngine(address, () => {
      seen.isGone = true;
      resolve();
    }),
  );
  return { seen, gone };
}

/** Waits long enough to notice that an engine is gone. */
async function timeToNotice(): Promise<void> {
  const engine = await listener();
  const { gone } = watched(engine.address);
  await engine.isConnected;
  await engine.end();
  await gone;
}

test("an engine that no longer listens is gone", async () => {
  await timeToNotice();
});

test("an address where nothing ever listened is not an engine that is gone", async () => {
  const never = await listener();
  await never.end();
  const { seen } = watched(never.address);
  await timeToNotice();
  expect(seen.isGone).toBe(false);
});

test("an engine that closes connections and still listens is not gone", async () => {
  const engine = await listener((socket) => socket.destroy());
  const { seen, gone } = watched(engine.address);
  await timeToNotice();
  expect(seen.isGone).toBe(false);
  await engine.end();
  await gone;
});

test("a stopped engine is not gone", async () => {
  const program =
    'require("node:net").createServer(() => {}).listen(0, "127.0.0.1", function () { console.log(this.address().port) })';
  child = spawn(process.execPath, ["-e", program], { stdio: ["ignore", "pipe", "ignore"] });
  const [port] = (await once(child.stdout ?? child, "data")) as [Buffer];
  const { seen, gone } = watched(`127.0.0.1:${String(port).trim()}`);
  await timeToNotice();
  child.kill("SIGSTOP");
  await timeToNotice();
  expect(seen.isGone).toBe(false);
  child.kill("SIGKILL");
  await gone;
});
