import { type Description } from "../../../src/provider/describe/define-resource";
import { type Lifecycle, lifecycle } from "../lifecycle";
import { FakeClock } from "../fake-clock";
import { FakeEngine } from "../fake-engine";
import { doneButLost, failing, FakeService, fakeSession, refused, slowly } from "../fake-service";

let service: FakeService;
beforeEach(() => {
  service = new FakeService();
});

/** Resources that one plugin process handles at the same time. */
function resources(count: number, particular: Partial<Description> = {}): FakeEngine[] {
  const provider = lifecycle(fakeSession({ clock: new FakeClock() }), service.description(particular));
  return Array.from({ length: count }, () => new FakeEngine(provider));
}

const upAll = (all: readonly FakeEngine[]) =>
  Promise.all(all.map((resource, index) => resource.up({ label: `web ${index}` })));

test("the existing objects are listed once for all creations", async () => {
  await upAll(resources(5));
  expect(service.asked("list")).toEqual(["list"]);
  expect(service.asked("create")).toHaveLength(5);
});

test("after a failed list, the next creation requests it again", async () => {
  service.plan("list", failing(refused(500, undefined, "Not now")));
  const [one, two] = resources(2);
  await one?.up({ label: "one" });
  await two?.up({ label: "two" });
  expect(service.asked("list")).toEqual(["list", "list"]);
});

test("resources that wait at the same time share one list per round of reads", async () => {
  service.rewrite = (given) => ({ ...given, status: "creating" });
  const all = resources(20, slowly);
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
  expect(service.asked("read")).toEqual([]);
  expect(all.every(({ outputs }) => outputs["status"] === "active")).toBe(true);
});

describe("reads of a process show its own writes, even after an earlier list:", () => {
  /** Three listed resources, of which the third is read next. */
  async function listed() {
    const all = resources(3);
    await upAll(all);
    service.requests.length = 0;
    const [one, two, three] = all;
    await Promise.all([one?.refresh(), two?.refresh()]);
    expect(service.requests).toEqual(["list"]);
    return { one, three };
  }

  test("an update", async () => {
    const { three } = await listed();
    await three?.up({ label: "another" });
    expect(await three?.refresh()).toBe(false);
    expect(three?.outputs["label"]).toBe("another");
  });

  test("a deletion", async () => {
    const { three } = await listed();
    const { id = "", outputs = {} } = three ?? {};
    await three?.destroy();
    expect(await three?.provider.read(id, outputs)).toMatchObject({ id: "" });
  });

  test("a creation, which may have replaced another object", async () => {
    const { one, three } = await listed();
    const another = new FakeEngine(one?.provider as Lifecycle);
    service.plan("create", (run) => {
      service.objects.delete(three?.id ?? "");
      return run();
    });
    await another.up({ label: "another" });
    expect(await three?.refresh()).toBe(true);
    expect(three?.id).toBeUndefined();
  });
});

test("a deletion of an object without a status takes one request, and one read if the service answers 404", async () => {
  const [one, two] = resources(2);
  await one?.up({ label: "one" });
  await two?.up({ label: "two" });
  service.requests.length = 0;
  service.objects.delete("2");
  await one?.destroy();
  await two?.destroy();
  expect(service.requests).toEqual(["delete 1", "delete 2", "read 2"]);
});

test("creations use the validation's list as the list of existing objects", async () => {
  service.add({ label: "theirs" });
  const provider = lifecycle(fakeSession({ clock: new FakeClock(), validate: true }), service.description());
  const resource = new FakeEngine(provider);
  service.plan("create", doneButLost);
  await resource.up({ label: "web" });
  // Once for both, and once to find the created object.
  expect(service.asked("list")).toHaveLength(2);
  expect(resource.id).toBe("2");
});

test("objects under different parents are watched and listed separately", async () => {
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
