/** The source of a zone for test programs. */
export const ZONE = `const zone = new nodecloud.Domain("zone", { domain: "example.org", type: "master", soaEmail: "dns@example.org" });`;

/** The source of the inputs of a record in this zone. */
export const recordA = (name: string): string => `{ type: "A", name: "${name}", target: "192.0.2.1" }`;
