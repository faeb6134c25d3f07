import { type OtherStack, stackOf } from "../../../src/provider/engine/other-stacks";
import { inEachWay } from "../../helpers/plugin";
import { a, refusalOf, saidOf, startZones } from "./zone";

const OWNER_UNKNOWN = "it is not known whether another stack manages what this deletes or takes over";

inEachWay((way) => {
  test.each(["true", "false"])(
    "a set that has imported its records refuses in the preview to delete what may be another stack's, as the up does (nodecloud:validate %s)",
    async (validate) => {
      const others: OtherStack[] = [];
      const unread: { unread?: number } = { unread: 1 };
      const environment = { NODECLOUD_VALIDATE: "true" };
      const { rig, newZone } = await startZones(way, { others, unread, environment });
      const zone = await newZone();
      await zone.create(a("www"));
      const id = await zone.idOf("www");
      const set = rig.resource("DomainRecordSet");
      await set.up(zone.set([a("www")]), { import: zone.domainId });
      await set.up(zone.set([a("www"), a("more")]));
      environment.NODECLOUD_VALIDATE = validate;
      await rig.restart();
      const without = zone.set([a("more")]);
      expect(await refusalOf(set.preview(without))).toContain(OWNER_UNKNOWN);
      expect(await refusalOf(set.up(without))).toContain(OWNER_UNKNOWN);
      delete unread.unread;
      const type = "nodecloud:index:DomainRecord";
      const stack = stackOf({ resources: [{ type, id, urn: `urn:pulumi:prod::shop::${type}::main` }] });
      if (stack !== undefined) others.push(stack);
      await rig.restart();
      await set.preview(without);
      expect((await saidOf(set)).join()).toContain("`pulumi up` refuses this: other stacks manage 1 of the");
      expect(await refusalOf(set.up(without))).toContain("other stacks manage 1 of the records");
      expect(await zone.names()).toEqual(["more", "www"]);
      await rig.stop();
    },
  );
});
