import { z } from "zod";
import { replace, update } from "../undocumented";
import { type Properties } from "../../../src/provider/base/values";
import { FakeEngine } from "../fake-engine";
import { FakeLog, FakeService, fakeSession } from "../fake-service";
import { lifecycle } from "../lifecycle";

let service: FakeService;
let log: FakeLog;
beforeEach(() => {
  service = new FakeService();
  log = new FakeLog();
});

const resourceWith = (fields: Properties) =>
  new FakeEngine(
    lifecycle(
      fakeSession({ log }),
      service.description({ fields: { label: update(z.string()), ...fields } as never, deleteFirst: true }),
    ),
  );
const base = { label: "web", __urn: "urn:pulumi:dev::app::Widget::web" };

test("the removal of an input that cannot be cleared replaces the object, and the preview says why", async () => {
  const resource = resourceWith({ region: update(z.string(), { removed: "replace" }) });
  await resource.up({ ...base, region: "moon" });
  expect(await resource.up(base)).toBe("replaced");
  expect(service.asked("create").at(-1)).toBe('create {"label":"web"}');
  expect(log.notes).toEqual([
    "Widget web: replacing it, because region was removed, and the API has no operation to clear it",
  ]);
  expect(await resource.up(base)).toBe("unchanged");
});

test("the removal of an input that somebody has cleared replaces nothing", async () => {
  const resource = resourceWith({ region: update(z.string(), { removed: "replace" }) });
  await resource.up({ ...base, region: "moon" });
  Object.assign(service.objects.get(resource.id ?? "") ?? {}, { region: null });
  await resource.refresh();
  expect(await resource.up(base)).toBe("unchanged");
});

test("the removal of an input that keeps its value sends nothing, and ends its management", async () => {
  const resource = resourceWith({ region: replace(z.string(), { removed: "stays" }) });
  await resource.up({ ...base, region: "moon" });
  expect(await resource.up(base)).toBe("updated");
  expect(service.asked("update")).toEqual([]);
  expect(log.warnings).toEqual([
    "Widget web: region was removed from the program and keeps its value: only a replacement changes it, for example with `pulumi up --replace`",
  ]);
  Object.assign(service.objects.get(resource.id ?? "") ?? {}, { region: "mars" });
  expect(await resource.refresh()).toBe(false);
  expect(await resource.up(base)).toBe("unchanged");
  expect(log.warnings).toHaveLength(1);
});

test("a change in an object also sends its removed inputs, because the service could clear omitted ones", async () => {
  const stays = { removed: "stays" } as const;
  const resource = resourceWith({ alerts: { cpu: update(z.int(), stays), io: update(z.int(), stays) } });
  await resource.up({ ...base, alerts: { cpu: 1, io: 2 } });
  await resource.up({ ...base, alerts: { cpu: 3 } });
  expect(service.asked("update")).toEqual(['update 1 {"alerts":{"cpu":3,"io":2}}']);
  expect(await resource.refresh()).toBe(false);
  expect(await resource.up({ ...base, alerts: { cpu: 3 } })).toBe("unchanged");
});
