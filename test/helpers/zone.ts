/** The source of a zone for test programs. */
export const ZONE = `const zone = new nodecloud.Domain("zone", { domain: "example.org", type: "master", soaEmail: "dns@example.org" });`;

/** The source of the inputs of a record in this zone. */
export const recordA = (name: string): string => `{ type: "A", name: "${name}", target: "192.0.2.1" }`;

/** A record that is registered after the first of {@link inOrder}. */
export const recordInOrder = (resource: string, name = "www", opts = "") =>
  `new nodecloud.DomainRecord("${resource}", { domainId: zone.id, ...${recordA(name)} }, { ...order, ${opts} });`;

/** A program in which the second resource is registered after the first. */
export const inOrder = (first: string, second: string) =>
  `let order = {}; const first = ${first} order = { dependsOn: [first] }; ${second}`;
