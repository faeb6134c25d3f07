import * as pulumi from "@pulumi/pulumi";
import { type Image, Node, type NodeArgs, type NodeBackupSnapshot } from "../../src";
import * as plugin from "../../src/plugin";

declare const image: Image;
declare const snapshot: NodeBackupSnapshot;

const base = { region: "us-east", type: "g6-nanode-1" };
const node = new Node("web", {
  ...base,
  image: image.id,
  rootPass: pulumi.secret("correct horse"),
  tags: ["web"],
  alerts: { cpu: 90 },
  backups: { schedule: { day: "Monday" } },
  interfaces: [{ purpose: "public" }],
  stackscriptData: { any: ["thing"] },
  resize: "replace",
});
new Node("copy", { ...base, cloneFrom: node.id });
new Node("part", { ...base, cloneFrom: node.id, disks: [1], configs: [] });
new Node("over", { ...base, restoreFromBackup: { backupId: snapshot.id, overwrite: true }, bootConfigId: 3 });
new Node("restored", { ...base, backupId: snapshot.id });
new Node("restored by number", { ...base, backupId: 34 });
export const address: pulumi.Output<string | undefined> = node.ipv4.apply(([first]) => first);
export const memory: pulumi.Output<number> = node.specs.memory;
export const schedule: pulumi.Output<string | undefined> = node.backups.apply(
  ({ schedule }) => schedule?.day,
);
export const password: pulumi.Output<string | undefined> = node.rootPass;

// @ts-expect-error -- a node has a type
new Node("web", { region: "us-east" });
// @ts-expect-error -- `booted` is a boolean
new Node("web", { ...base, booted: "yes" });
// @ts-expect-error -- an interface has a purpose
new Node("web", { ...base, interfaces: [{ label: "eth0" }] });
// @ts-expect-error -- alerts for memory do not exist
new Node("web", { ...base, alerts: { memory: 90 } });
// @ts-expect-error -- a change of type resizes or replaces
new Node("web", { ...base, resize: "never" });
// @ts-expect-error -- a restore requires a backup
new Node("web", { ...base, restoreFromBackup: { overwrite: true } });
// @ts-expect-error -- disks are numbers
new Node("web", { ...base, cloneFrom: 1, disks: ["sda"] });
// @ts-expect-error -- the API has no operation to stop a node
new Node("web", { ...base, shutdown: true });
// @ts-expect-error -- the status is an output only
new Node("web", { ...base, status: "running" });

/** Components accept inputs of a node, and add their own. */
interface WebArgs extends Omit<NodeArgs, "image" | "type"> {
  readonly size?: "small" | "large";
}
export class Web extends pulumi.ComponentResource {
  constructor(name: string, { size = "small", ...args }: WebArgs, more: Partial<NodeArgs> = {}) {
    super("test:Web", name);
    const type = size === "small" ? "g6-nanode-1" : "g6-standard-1";
    new Node(name, { ...args, type, image: "node/debian12", ...more }, { parent: this });
  }
}
const defaults = (more: Partial<NodeArgs>): NodeArgs => ({ ...base, image: "node/debian12", ...more });
new Node("defaults", defaults({ tags: ["web"], rootPass: pulumi.secret("correct horse") }));
new Web("web", { region: pulumi.output("us-east"), size: "large" }, { privateIp: true });
// @ts-expect-error -- the component sets the image
new Web("web", { region: "us-east", image: "node/alpine3.20" });

/** User data is plain, or in base64 as the API has it. Programs compose inputs that may have either. */
const metadata = { userData: "I2Nsb3VkLWNvbmZpZw==" };
declare const plain: string | undefined;
new Node("plain", { ...base, userData: pulumi.secret("#cloud-config") });
new Node("encoded", { ...base, metadata: pulumi.output(metadata) });
new Node("encoded", { ...base, userData: undefined, metadata });
new Node("either", { ...base, ...(plain === undefined ? { metadata } : { userData: plain }) });
new Node("defaults", { ...defaults({ metadata }), tags: ["web"] });
new Node("defaults", { ...defaults({}), userData: "#cloud-config" });
interface ExtendedArgs extends NodeArgs {
  readonly replicas: number;
}
export const replicas = ({ replicas: count, ...args }: ExtendedArgs): Node[] =>
  Array.from({ length: count }, (_, index) => new Node(`web-${index}`, args));

// @ts-expect-error -- a node has one form of user data
new Node("both", { ...base, userData: "#cloud-config", metadata });
// @ts-expect-error -- the same applies to literals and outputs
new Node("both", { ...base, userData: pulumi.output("#cloud-config"), metadata: { userData: "I2Nsb3Vk" } });
// @ts-expect-error -- the same applies to a secret
new Node("both", { ...base, metadata: pulumi.output(metadata), userData: pulumi.secret("#cloud-config") });
// @ts-expect-error -- a node of the full plugin has one form of user data
new plugin.Node("both", { ...base, userData: "#cloud-config", metadata });
