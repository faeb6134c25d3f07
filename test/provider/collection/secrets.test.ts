import * as pulumi from "@pulumi/pulumi";
import { type Rig } from "../../helpers/lifecycle";
import { inEachWay, type Properties, secretsIn } from "../../helpers/plugin";
import { a, reasonsOf, refusalOf, saidOf, startZones, type Zone } from "./zone";

inEachWay((way) => {
  let rig: Rig;
  let newZone: () => Promise<Zone>;
  beforeAll(async () => {
    ({ rig, newZone } = await startZones(way));
  });
  beforeEach(() => rig.restart());
  afterEach(() => rig.emulator.control("POST", "/reset?only=faults"));
  afterAll(() => rig.stop());

  const text = (target: string, name = "token"): Properties => ({ type: "TXT", name, target });
  const secret = (...records: Properties[]) => pulumi.secret(records);

  describe("of a set that contains a secret", () => {
    if (way === "plugin") {
      test("the records are a secret in the state", async () => {
        const zone = await newZone();
        const set = await zone.made(secret(text("hush hush")));
        expect(secretsIn(set.outputs)).toContain("records");
      });
    }

    test("the differences of an import show paths and no values", async () => {
      const zone = await newZone();
      await zone.create(text("hush hush"));
      const set = rig.resource("DomainRecordSet");
      const args = zone.set(secret({ ...text("hush hush"), ttlSec: 300 }, text("other hush", "more")));
      const refusal = await refusalOf(set.up(args, { import: zone.domainId }));
      expect(refusal).toContain("TXT [redacted]: ttlSec differs");
      expect(refusal).toContain("TXT [redacted] does not exist");
      expect(refusal).not.toContain("hush");
    });

    test("the refusal of an existing record shows its id and no value", async () => {
      const zone = await newZone();
      const { id } = await zone.create(text("hush hush"));
      const refusal = await refusalOf(
        rig.resource("DomainRecordSet").up(zone.set(secret(text("hush hush")))),
      );
      expect(refusal).toContain(`TXT [redacted] already exists with the id ${zone.domainId}/${id}`);
      expect(refusal).not.toContain("hush");
    });

    test("the reason for which a record is refused shows no value", async () => {
      const zone = await newZone();
      const set = rig.resource("DomainRecordSet");
      const wrong = zone.set(secret(a("hush", "hush hush")));
      expect(await reasonsOf(set.check(wrong))).toMatch(/^records\[0\]\.target must be/);
      expect(await reasonsOf(set.check(wrong))).not.toContain("hush");
      const outside = zone.set(secret(a("hush")), { subdomain: "dev" });
      expect(await reasonsOf(set.check(outside))).toContain("is not in the subdomain of the set");
      expect(await reasonsOf(set.check(outside))).not.toContain("hush");
    });

    test("the plan names the type of each record and the paths that change", async () => {
      const zone = await newZone();
      const set = await zone.made(secret(text("hush hush"), text("quiet hush", "old")));
      rig.plugin.logs.length = 0;
      const then = zone.set(secret({ ...text("hush hush"), ttlSec: 300 }, text("third hush", "new")));
      await set.preview(then);
      const lines = await saidOf(set);
      expect(lines).toContain("~ TXT [redacted]: ttlSec");
      expect(lines.join("\n")).not.toContain("hush");
    });

    test("the failure of a change shows no value", async () => {
      const zone = await newZone();
      await zone.plan("POST", {
        times: 1,
        effect: { status: 400, body: { errors: [{ reason: "hush hush is odd", field: "target" }] } },
      });
      const refusal = await refusalOf(
        rig.resource("DomainRecordSet").up(zone.set(secret(text("hush hush")))),
      );
      expect(refusal).toContain("is odd");
      expect(refusal).not.toContain("hush");
    });
  });
});
