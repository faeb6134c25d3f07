import { type Rig, type Managed, startRig } from "../../helpers/lifecycle";
import { type Properties, type Way } from "../../helpers/plugin";
import { type InProcessOptions } from "../../helpers/plugin/in-process";

export type DnsRecord = Properties & { readonly id: number; readonly name: string };

/** An A record. */
export const a = (name: string, target = "192.0.2.1", more: Properties = {}): Properties => ({
  type: "A",
  name,
  target,
  ...more,
});

/** Domains with records, and the sets and records of a program that manages them. */
export class Zone {
  constructor(
    readonly rig: Rig,
    readonly domainId: string,
  ) {}

  /** The inputs of a set with these records. */
  set(records: unknown, more: Properties = {}): Properties {
    return { domainId: this.domainId, records, ...more };
  }

  /** A set with these records, which a run has created. */
  async made(records: unknown, more: Properties = {}): Promise<Managed> {
    const set = this.rig.resource("DomainRecordSet");
    await set.up(this.set(records, more));
    await this.rig.requests();
    return set;
  }

  /** Creates a record outside Pulumi. */
  async create(record: Properties): Promise<DnsRecord> {
    const { rig, domainId } = this;
    const { body } = await rig.emulator.call<DnsRecord>("POST", `/domains/${domainId}/records`, {
      body: record,
    });
    await rig.requests();
    return body;
  }

  async live(): Promise<DnsRecord[]> {
    const { rig, domainId } = this;
    const { body } = await rig.emulator.call<{ data: DnsRecord[] }>(
      "GET",
      `/domains/${domainId}/records?page_size=500`,
    );
    await rig.requests();
    return body.data;
  }

  /** The names of the records, in alphabetical order. */
  async names(): Promise<string[]> {
    return (await this.live()).map(({ name }) => name).sort();
  }

  /** The id of a record, as an import names it. */
  async idOf(name: string): Promise<string> {
    const found = (await this.live()).find((record) => record.name === name);
    if (found === undefined) throw new Error(`there is no record ${name}`);
    return `${this.domainId}/${found.id}`;
  }

  /** Plans what the service does with the next requests for records of this domain. */
  async plan(method: string, fault: Properties): Promise<void> {
    const path = `/v4/domains/${this.domainId}/records${method === "POST" ? "" : "**"}`;
    await this.rig.emulator.control("POST", "/faults", { method, path, ...fault });
  }
}

/** A rig whose zones are new domains. */
export async function startZones(
  way: Way,
  run: Partial<Pick<InProcessOptions, "environment" | "state" | "others" | "unread">> = {},
) {
  const rig = await startRig(
    { Domain: "domains", DomainRecord: "records", DomainRecordSet: "records" },
    {},
    way,
    run,
  );
  const newZone = async () => {
    const domain = rig.resource("Domain");
    const name = `zone${rig.serial()}.example`;
    await domain.up({ domain: name, type: "master", soaEmail: `dns@${name}` });
    await rig.requests();
    return new Zone(rig, domain.id);
  };
  return { rig, newZone };
}

/** The lines logged about a resource, in order. */
export const saidOf = async (set: Managed, messages = 1): Promise<string[]> =>
  (await set.warnings(messages)).flatMap((text) => text.split("\n"));

/** The message with which a call is refused. */
export const refusalOf = (work: Promise<unknown>): Promise<string> =>
  work.then(
    () => "it is not refused",
    (error: Error) => error.message,
  );

/** The reasons for which a check refuses inputs. */
export const reasonsOf = async (
  checked: Promise<{ readonly failures: readonly { readonly reason: string }[] }>,
): Promise<string> => (await checked).failures.map(({ reason }) => reason).join("; ");
