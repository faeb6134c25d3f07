// Connects to the database of the selected stack: node client.mjs
import { execFileSync } from "node:child_process";
import { connect } from "node:net";

const { host, port } = JSON.parse(
  execFileSync("pulumi", ["stack", "output", "--json"], { encoding: "utf8" }),
);
const socket = connect({ host, port, timeout: 5_000 });
socket.once("connect", () => {
  console.log(`connected to ${host}:${port}`);
  socket.destroy();
});
socket.once("timeout", () => socket.destroy(new Error(`no answer from ${host}:${port} within 5 s`)));
socket.once("error", (error) => {
  console.error(error.message);
  process.exitCode = 1;
});
