import { type Rig, startRig } from "../helpers/lifecycle";
import { inEachWay } from "../helpers/plugin";

inEachWay((way) => {
  let rig: Rig;
  beforeAll(async () => {
    rig = await startRig({ Domain: "domains" }, {}, way);
  });
  afterAll(() => rig.stop());

  const POST = "POST /v4/domains";
  const inputs = () => ({
    domain: `zone${rig.serial()}.example`,
    type: "master",
    soaEmail: "dns@example.org",
  });
  const deep = `${"[".repeat(100)}${"]".repeat(100)}`;

  /** Plans answers with nested lists, and starts to count requests. */
  async function answersDeep(requests: { method: string; path: string; times: number }): Promise<void> {
    const effect = { status: 200, body: deep };
    await rig.emulator.control("POST", "/faults", { ...requests, effect });
    await rig.requests();
  }

  test("after an answer to a creation exceeds a bound, the provider looks for the object before it requests another", async () => {
    const given = inputs();
    const domain = rig.resource("Domain");
    await answersDeep({ method: "POST", path: "/v4/domains", times: 1 });
    await domain.up(given);
    const { [POST]: posts, "GET /v4/domains": looks = 0 } = await rig.requests();
    expect(posts).toBe(2);
    expect(looks).toBeGreaterThanOrEqual(1);
    const answer = await fetch(`${rig.emulator.url}/domains`, {
      headers: { authorization: `Bearer ${rig.emulator.token}` },
    });
    const { data } = (await answer.json()) as { data: { domain: string }[] };
    expect(data.filter((one) => one.domain === given.domain)).toHaveLength(1);
  });

  test("an update whose answer exceeds a bound fails at once and names the bound", async () => {
    const given = inputs();
    const domain = rig.resource("Domain");
    await domain.up(given);
    await answersDeep({ method: "PUT", path: "/v4/domains/*", times: 100 });
    await expect(domain.up({ ...given, description: "new" })).rejects.toThrow(
      "the answer nests lists and objects more than 64 deep (200)",
    );
    expect(await rig.requests()).toMatchObject({ "PUT /v4/domains/:id": 1 });
    await rig.emulator.control("POST", "/reset?only=faults");
  });
});
