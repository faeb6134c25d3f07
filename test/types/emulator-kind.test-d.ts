import { type Service } from "../../src/api/service";
import { type Routes } from "../../src/emulator/operations/endpoint";
import { type ObjectKind } from "../../src/emulator/kind/kind";
import { type NodeFields, type NodeHidden, node } from "../../src/emulator/kinds/node";
import { routes } from "../../src/emulator/routes";

type NodeKind = ObjectKind<NodeFields, NodeHidden, typeof node.transitions>;

/** The kind of nodes without a part. */
declare function without<Part extends keyof NodeKind>(part: Part): Omit<NodeKind, Part>;
/** The collection of nodes without a part. */
type Nodes = NodeKind["collections"][string];
declare function nodesWithout<Part extends keyof Nodes>(part: Part): Omit<Nodes, Part>;

const kinds: NodeKind[] = [node, { ...without("actions") }];
// @ts-expect-error -- the data file needs a name for the kind
kinds.push(without("stored"));
// @ts-expect-error -- the fields persist and can be patched
kinds.push(without("fields"));
// @ts-expect-error -- the fields that only the emulator knows persist and can be patched
kinds.push(without("hidden"));
// @ts-expect-error -- a kind names the parent of its objects
kinds.push(without("parent"));
// @ts-expect-error -- a kind has transitions, or {} without any
kinds.push(without("transitions"));
// @ts-expect-error -- the page shows statuses with their tones
kinds.push(without("statuses"));
// @ts-expect-error -- the log must not keep credentials
kinds.push(without("secrets"));
// @ts-expect-error -- the page must not show a program's secrets
kinds.push(without("privateInputs"));
// @ts-expect-error -- the page shows names
kinds.push(without("name"));
// @ts-expect-error -- the control API and the page need a name for the objects
kinds.push(without("collections"));

// @ts-expect-error -- the place in the navigation of the page
kinds.push({ ...node, collections: { nodes: nodesWithout("place") } });
// @ts-expect-error -- the title on the page
kinds.push({ ...node, collections: { nodes: nodesWithout("title") } });
// @ts-expect-error -- the plural on the page
kinds.push({ ...node, collections: { nodes: nodesWithout("many") } });
// @ts-expect-error -- the columns of the page
kinds.push({ ...node, collections: { nodes: nodesWithout("columns") } });
// @ts-expect-error -- the path in the API
kinds.push({ ...node, collections: { nodes: nodesWithout("path") } });
// @ts-expect-error -- a body that creates an object
kinds.push({ ...node, collections: { nodes: nodesWithout("example") } });

const { fields } = node;
declare const withoutLabel: Omit<typeof fields, "label">;
// @ts-expect-error -- a field without a schema would not be checked
kinds.push({ ...node, fields: withoutLabel });
declare const withoutDisks: Omit<typeof node.hidden, "disks">;
// @ts-expect-error -- a hidden field without a schema would not be checked
kinds.push({ ...node, hidden: withoutDisks });
// @ts-expect-error -- a label is a string
kinds.push({ ...node, fields: { ...fields, label: fields.has_user_data } });
// @ts-expect-error -- a node has no field of this name
kinds.push({ ...node, collections: { nodes: { ...nodesWithout("columns"), columns: ["lable"] } } });
kinds.push({ ...node, collections: { nodes: { ...nodesWithout("columns"), columns: ["specs.disk"] } } });
// @ts-expect-error -- the specs of a node have no field of this name
kinds.push({ ...node, collections: { nodes: { ...nodesWithout("columns"), columns: ["specs.dsik"] } } });

declare const withoutDomains: Omit<typeof routes, "domains">;
export const served: Readonly<Record<keyof Service, Routes>> = routes;
// @ts-expect-error -- every family of the API has routes
export const unserved: Readonly<Record<keyof Service, Routes>> = withoutDomains;
