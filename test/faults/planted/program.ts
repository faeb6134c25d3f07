/** The planted values of the program. Each needs escaping, so its spellings differ. */
export const PLANTED = {
  rootPass: 'planted "root/pass" & 5d2f8a',
  userData: '#cloud-config\nplanted: "user/data" & é 9a3b1c',
  stackscriptData: 'planted "stack/script" & 2b8c4e',
  tag: 'planted "tag/x" & 3c7d',
  description: 'planted "description/x" & é 6e1f',
  target: 'planted "target/x" & 4e6d7b',
  imageDescription: 'planted "image/description" & 7b3d',
} as const;

export type Planted = keyof typeof PLANTED;

/** The variable that names the file with these values, so that the program's text does not contain them. */
export const PLANTED_FILE = "PLANTED_FILE";

/** A program that passes each value to a resource. The second version changes most resources. */
export const plantedProgram = (version: 1 | 2, more = ""): string => `
const planted = JSON.parse(require("node:fs").readFileSync(process.env.${PLANTED_FILE}, "utf8"));
const secret = (name) => pulumi.secret(planted[name]);
const place = { region: "us-east", type: "g6-nanode-1" };
new nodecloud.Node("node", {
  ...place, image: "node/debian12", tags: ["v${version}", secret("tag")], rootPass: planted.rootPass, userData: planted.userData,
  stackscriptId: 1, stackscriptData: { key: planted.stackscriptData },
});
new nodecloud.MysqlDatabase("mysql", { ...place, engine: "mysql/8.0.30", allowList: ["192.0.2.${version}/32"] });
const zone = new nodecloud.Domain("zone", {
  domain: "ours.example", type: "master", soaEmail: "dns@ours.example", group: "v${version}", description: secret("description"),
});
new nodecloud.DomainRecord("record", { domainId: zone.id, type: "TXT", name: "v${version}", target: secret("target") });
new nodecloud.DomainRecordSet("records", {
  domainId: zone.id, records: { one: { type: "TXT", name: "set-v${version}", target: secret("target") } },
});
new nodecloud.Image("image", {
  source: "disk.img", region: "us-east", label: "golden-v${version}", description: secret("imageDescription"),
});
${more}`;

/** A node with a password from the provider. */
export const GENERATED = 'new nodecloud.Node("generated", { ...place, image: "node/debian12" });';
