import { type Managed, type Rig, startRig } from "../helpers/lifecycle";
import { inEachWay, type Properties } from "../helpers/plugin";
import { eventually } from "../helpers/programs";

inEachWay((way) => {
  let rig: Rig;
  let domain: Managed;
  /** The lines of the zone that the service has rendered. Undefined while it renders each change at once. */
  let rendered: readonly string[] | undefined;
  beforeEach(async () => {
    rig = await startRig({ Domain: "domains", DomainRecord: "records", DomainRecordSet: "records" }, {}, way);
    domain = rig.resource("Domain");
    await domain.up({ domain: "one.example", type: "master", soaEmail: "a@one.example" });
  });
  afterEach(() => rig.stop());
});
