import { type Description } from "../../src/provider/define";
import { lifecycle } from "../../src/provider/lifecycle";
import { FakeClock } from "./fake-clock";
import { FakeEngine } from "./fake-engine";
import { answering, failing, FakeService, fakeSession, refused, slowly } from "./fake-service";

let service: FakeService;
beforeEach(() => {
  service = new FakeService();
});

/** Resources that one process of the plugin works on at the same time. */
function resources(count: number, particular: Partial<Description> = {}): FakeEngine[] {
  const provider = lifecycle(fakeSession({ clock: new FakeClock() }), service.description(particular));
  return Array.from({ length: count }, () => new FakeEngine(provider));
}

const upAll = (all: readonly FakeEngine[]) =>
  Promise.all(all.map((resource, index) => resource.up({ label: `web ${index}` })));

test("what was there before is listed once for all creations", async () => {
  await upAll(resources(5));
  expect(service.asked("list")).toEqual(["list"]);
  expect(service.asked("create")).toHaveLength(5);
});

test("a list that failed is asked for again by the next creation", async () => {
  service.plan("list", failing(refused(500, undefined, "Not now")));
  const [one, two] = resources(2);
  await one?.up({ label: "one" });
  await two?.up({ label: "two" });
  expect(service.asked("list")).toEqual(["list", "list"]);
});

test("resources that wait at the same time share one list per round", async () => {
  service.rewrite = (given) => ({ ...given, status: "creating" });
  const all = resources(20, slowly);
  // Each is looked at once by itself, before it waits.
  service.plan("read", ...all.map(() => answering({ status: "creating" })));
  service.plan(
    "list",
    (run) => run(),
    (run) => run(),
    (run) => {
      for (const object of service.objects.values()) object["status"] = "active";
      return run();
    },
  );
  await upAll(all);
  expect(service.asked("list")).toHaveLength(3);
  expect(service.asked("read")).toHaveLength(20);
  expect(all.every(({ outputs }) => outputs["status"] === "active")).toBe(true);
});

test("objects under different parents are watched and listed apart", async () => {
  const listed: string[] = [];
  const [one, two, three] = resources(3, {
    id: { form: "region/id", pattern: /^(?<parent>[a-z]+)\/(?<id>\d+)$/, parent: "region" },
    list: (_, parent) => {
      listed.push(parent);
      return service.list();
    },
  });
  await one?.up({ label: "one", region: "east" });
  await two?.up({ label: "two", region: "west" });
  await three?.up({ label: "three", region: "east" });
  expect(listed).toEqual(["east", "west"]);
  expect([one, two, three].map((resource) => resource?.id)).toEqual(["east/1", "west/2", "east/3"]);
});
