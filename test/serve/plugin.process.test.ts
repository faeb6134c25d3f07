import { spawn } from "node:child_process";
import { once } from "node:events";
import * as grpc from "@grpc/grpc-js";
import { PluginAttach } from "@pulumi/pulumi/proto/plugin_pb";
import { ResourceProviderClient } from "@pulumi/pulumi/proto/provider_grpc_pb";
import * as provider from "@pulumi/pulumi/proto/provider_pb";
import { Empty } from "google-protobuf/google/protobuf/empty_pb";
import { hermeticEnvironment } from "../../scripts/environment.cjs";
import { AT_ONCE, startTestEmulator, type TestEmulator } from "../helpers/emulator";
import { Managed } from "../helpers/lifecycle";
import { inEachWay, type PluginProcess, startPlugin } from "../helpers/plugin";
import { ask } from "../helpers/plugin/engine-client";
import { firstLine, startEngine } from "../helpers/plugin/start";
import { servingOf } from "../helpers/plugin/way";
import { toStruct } from "../helpers/plugin/wire";
import { eventually, programFolder } from "../helpers/programs";

// What needs a process of its own. All else about hooks is tested within the process of the tests.

/** Starts a plugin with these arguments. */
async function launch(given: readonly string[]) {
  const folder = programFolder();
  const child = spawn(process.execPath, [servingOf("plugin").launched, ...given], {
    cwd: folder.path,
    env: hermeticEnvironment(folder.path),
    stdio: ["ignore", "pipe", "pipe"],
  });
  const exited = once(child, "exit");
  const port = await firstLine(child, () => "");
  const client = new ResourceProviderClient(`127.0.0.1:${port}`, grpc.credentials.createInsecure());
  return { child, exited, port, client, remove: () => folder.remove() };
}

describe("its process", () => {
  test("prints the port in its first line, goes on after a cancel, and exits when the engine is gone", async () => {
    const engine = await startEngine();
    const { exited, port, client, remove } = await launch([engine.address]);
    expect(port).toMatch(/^\d+$/);
    await ask((done) => client.cancel(new Empty(), done));
    const info = await ask<{ getVersion(): string }>((done) => client.getPluginInfo(new Empty(), done));
    expect(info.getVersion()).not.toBe("");
    engine.stop();
    expect(await exited).toEqual([0, null]);
    client.close();
    remove();
  });

  test("that a developer started without an engine serves one engine after the other", async () => {
    const { child, client, remove } = await launch([]);
    const configured = async (address: string, token: string) => {
      const attach = new PluginAttach();
      attach.setAddress(address);
      await ask((done) => client.attach(attach, done));
      const settings = new provider.ConfigureRequest();
      settings.setArgs(toStruct({ token, baseUrl: "https://api.invalid/v4", validate: false }, true));
      await ask((done) => client.configure(settings, done));
    };
    const first = await startEngine();
    await configured(first.address, "one");
    await expect(configured(first.address, "two")).rejects.toThrow("different settings");
    first.stop();
    const second = await startEngine();
    await configured(second.address, "two");
    expect(child.exitCode).toBeNull();
    second.stop();
    child.kill();
    client.close();
    remove();
  });
});

inEachWay((way) => {
  describe("a plugin process", () => {
    let emulator: TestEmulator;
    let plugin: PluginProcess | undefined;
    beforeEach(async () => {
      emulator = await startTestEmulator({ speed: AT_ONCE });
    });
    afterEach(async () => {
      await plugin?.stop();
      await emulator.stop();
    });

    const args = { region: "us-east", type: "g6-nanode-1", image: "node/debian12" };
    const folder = programFolder();
    const start = async () =>
      (plugin = await startPlugin(
        { "nodecloud:token": emulator.token, "nodecloud:baseUrl": emulator.url },
        { way, folder },
      ));
    const nodeOf = (plugin: PluginProcess, name: string) =>
      new Managed({ plugin, way, emulator, objects: () => "/objects/nodes" }, "Node", name);
    const nodes = async () =>
      (await emulator.control<{ data: unknown[] }>("GET", "/objects/nodes")).body.data.length;

    test("that is killed after the service acts and before the answer is followed by one that creates no duplicate", async () => {
      const killed = await start();
      const node = nodeOf(killed, "cut");
      const { inputs } = await node.check(args);
      const plan = (fault: object) => emulator.control("POST", "/faults", fault);
      await plan({ method: "POST", path: "/v4/node/instances", effect: "drop-response" });
      await plan({ method: "GET", path: "/v4/**", times: 50, effect: { delayMs: 600_000 } });
      const cut = killed.create(node, inputs).catch(() => "cut off");
      await eventually("the service has acted", async () => ((await nodes()) > 0 ? true : undefined));
      await killed.kill();
      expect(await cut).toBe("cut off");
      await emulator.control("POST", "/reset?only=faults");

      const next = await start();
      const again = nodeOf(next, "cut");
      await again.up(args);
      expect(await nodes()).toBe(1);
      expect(await again.refresh()).toEqual([]);
      expect(await again.warnings()).toEqual([
        expect.stringMatching(
          /^continues with the Node \d+, which appeared after an interrupted run requested it$/,
        ),
      ]);
      await again.destroy();
      expect(await nodes()).toBe(0);
      expect(next.printed()).toBe("");
    });
  });
});
