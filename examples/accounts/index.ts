import * as pulumi from "@pulumi/pulumi";
import * as nodecloud from "pulumi-nodecloud";

const config = new pulumi.Config();

/** The account whose URL and token the stack configuration has under this name. */
const account = (name: string) => ({
  provider: new nodecloud.Provider(name, {
    baseUrl: config.require(`${name}Url`),
    token: config.requireSecret(`${name}Token`),
  }),
});
const machines = account("machines");
const dns = account("dns");

const zone = new nodecloud.Domain(
  "zone",
  { domain: "accounts.example", type: "master", soaEmail: "dns@accounts.example" },
  dns,
);

// Each node is in one account, and its record in the other.
export const addresses = Array.from({ length: config.requireNumber("size") }, (_, index) => {
  const name = `web-${index + 1}`;
  const place = { region: "us-east", type: "g6-nanode-1", image: "node/debian12" };
  const node = new nodecloud.Node(name, place, machines);
  const target = node.ipv4.apply(([first = ""]) => first);
  new nodecloud.DomainRecord(name, { domainId: zone.id, type: "A", name, target }, dns);
  return target;
});
