/** The source of a zone that programs of tests have in common. */
export const ZONE = `const zone = new nodecloud.Domain("zone", { domain: "example.org", type: "master", soaEmail: "dns@example.org" });`;

/** The source of the inputs of a record in it. */
export const recordA = (name: string): string => `{ type: "A", name: "${name}", target: "192.0.2.1" }`;
