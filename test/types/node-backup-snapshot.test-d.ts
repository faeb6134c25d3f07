import type * as pulumi from "@pulumi/pulumi";
import { type Node, NodeBackupSnapshot } from "../../src";

declare const node: Node;

const snapshot = new NodeBackupSnapshot("before", {
  nodeId: node.id,
  triggers: { release: 7, of: ["any", { kind: 1 }] },
});
new NodeBackupSnapshot("named", { nodeId: 12, label: "before" });
export const available: pulumi.Output<boolean> = snapshot.available;
export const disk: pulumi.Output<number | undefined> = snapshot.disks.apply(([first]) => first?.size);

// @ts-expect-error -- a snapshot belongs to a node
new NodeBackupSnapshot("before", { label: "before" });
// @ts-expect-error -- triggers have names
new NodeBackupSnapshot("before", { nodeId: 12, triggers: "release" });
// @ts-expect-error -- arguments are required
new NodeBackupSnapshot("before");
