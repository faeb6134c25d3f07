import { type Description } from "../../../src/provider/describe/define-resource";
import { outlineOf } from "../../../src/provider/state/make-outline";
import { lifecycle as ask } from "../../../src/provider/hooks/lifecycle";
import { type Session } from "../../../src/provider/run/session";
import { PluginResource } from "../../../src/serve/plugin/resource";
import { collectionLifecycle } from "../../../src/provider/collection/lifecycle";
import { textOf } from "../../../src/provider/state/members";
import { descriptions } from "../../../src/resources";
import { outlines } from "../../../src/sdk/outlines";
import { dynamic } from "../../../src/serve/dynamic";
import { startTestEmulator } from "../../helpers/emulator";
import { sessionFor } from "../../resources/session";
import { FakeService, fakeSession } from "../fake-service";
import { lifecycle } from "../lifecycle";

/** A frame of this package in a stack trace: its function and its file. */
const OURS = /at (?:async )?(?:(\S+) )?.*\/src\/((?:provider|serve)\/[^:)]+)/;

const urn = "urn:pulumi:dev::app::nodecloud:index:Widget::web";

/** The frames of this package from the description's `create` up to the engine's call. */
async function framesOf(create: (seen: () => void) => Promise<unknown>): Promise<string[]> {
  let stack = "";
  const limit = Error.stackTraceLimit;
  Error.stackTraceLimit = 100;
  try {
    await create(() => (stack = new Error().stack ?? ""));
  } finally {
    Error.stackTraceLimit = limit;
  }
  return stack.split("\n").flatMap((line) => {
    const [, called = "", file = ""] = OURS.exec(line) ?? [];
    return file === "" ? [] : [`${called} ${file}`];
  });
}

/** The rooms of frames, one after the other. */
const roomsOf = (frames: readonly string[]): string[] =>
  frames
    .map((frame) => frame.replace(/^.* (?:provider\/)?(\w+)\/.*$/, "$1"))
    .filter((room, index, rooms) => room !== rooms[index + 1]);

test.each<[string, (session: Session, description: Description) => Promise<unknown>]>([
  ["dynamic plugin", (session, of) => lifecycle(session, of).create({ label: "web", __urn: urn })],
  [
    "full plugin",
    (session, of) => {
      const resource = new PluginResource(ask(session, of), outlineOf(of), session);
      return resource.create(urn, { properties: { label: "web" }, secrets: [] }, 0);
    },
  ],
])(
  "between a call of the engine to the %s and the description's `create` are at most eight frames, and no room twice",
  async (_, create) => {
    const service = new FakeService();
    const whole = service.description({});
    const frames = await framesOf((seen) => {
      const description = service.description({
        create: (task) => {
          seen();
          return whole.create(task);
        },
      });
      return create(fakeSession(), description);
    });
    expect(frames.at(-1)).toMatch(/create serve\//);
    expect(frames.slice(8)).toEqual([]);
    expect(roomsOf(frames)).toEqual(["creation", "base", "engine", "hooks", "run", "serve"]);
  },
);

test("between a call of the engine for a set and the description's `create` of a record are at most fourteen frames", async () => {
  const emulator = await startTestEmulator();
  const body = { domain: "example.org", type: "master", soa_email: "dns@example.org" };
  const { body: domain } = await emulator.call<{ id: number }>("POST", "/domains", { body });
  const session = sessionFor({ url: emulator.url, token: emulator.token });
  const { DomainRecord, DomainRecordSet } = descriptions;
  const frames = await framesOf((seen) => {
    const item = {
      ...DomainRecord,
      create: (task: Parameters<typeof DomainRecord.create>[0]) => {
        seen();
        return DomainRecord.create(task);
      },
    };
    const set = dynamic(
      session,
      outlines.DomainRecordSet,
      collectionLifecycle(session, { ...DomainRecordSet, item }),
    );
    const records = textOf([
      DomainRecordSet.write({ inputs: { type: "A", name: "www", target: "192.0.2.1" } }),
    ]);
    return set.create({ domainId: String(domain.id), records });
  });
  expect(frames.at(-1)).toMatch(/create serve\//);
  expect(frames.slice(14)).toEqual([]);
  expect(roomsOf(frames)).toEqual([
    ...["creation", "collection", "run", "collection", "base", "engine", "hooks", "run", "serve"],
  ]);
  await emulator.stop();
});
