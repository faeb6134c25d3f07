import { type Description } from "../../../src/provider/describe/define-resource";
import { outlineOf } from "../../../src/provider/state/make-outline";
import { lifecycle as ask } from "../../../src/provider/hooks/lifecycle";
import { type Session } from "../../../src/provider/run/session";
import { PluginResource } from "../../../src/serve/plugin/resource";
import { FakeService, fakeSession } from "../fake-service";
import { lifecycle } from "../lifecycle";

/** A frame of this package in a stack trace: its function and its file. */
const OURS = /at (?:async )?(?:(\S+) )?.*\/src\/((?:provider|serve)\/[^:)]+)/;

const urn = "urn:pulumi:dev::app::nodecloud:index:Widget::web";

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
    let stack = "";
    const description = service.description({
      create: (task) => {
        stack = new Error().stack ?? "";
        return whole.create(task);
      },
    });
    const limit = Error.stackTraceLimit;
    Error.stackTraceLimit = 100;
    try {
      await create(fakeSession(), description);
    } finally {
      Error.stackTraceLimit = limit;
    }
    const frames = stack.split("\n").flatMap((line) => {
      const [, called = "", file = ""] = OURS.exec(line) ?? [];
      return file === "" ? [] : [`${called} ${file}`];
    });
    expect(frames.at(-1)).toMatch(/create serve\//);
    expect(frames.slice(8)).toEqual([]);
    const rooms = frames.map((frame) => frame.replace(/^.* (?:provider\/)?(\w+)\/.*$/, "$1"));
    expect(rooms.filter((room, index) => room !== rooms[index + 1])).toEqual([
      ...["creation", "base", "engine", "hooks", "run", "serve"],
    ]);
  },
);
