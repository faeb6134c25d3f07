import { type Drift, type ManagedResource } from "../../src/cli/drift/findings";
import { type StackName } from "../../src/cli/stacks/names-and-gaps";

/** A text that must not be in any report. */
export const HIDDEN = "hunter2-hidden";

/** A label of somebody who wants to change a report. */
export const HOSTILE =
  "a|b\\|c `x` </details> @octocat #12 [l](http://evil.example) <img src=x> www.evil.example\r\n| x |\u001b[31m\u009b1m\u202e{0} ]]> & \"' *b* ~~s~~";

export const ACCOUNT = "https://api.example/v4";

const stackName = (stack: string, directory: string): StackName => ({
  name: `organization/${directory}/${stack}`,
  project: directory,
  directory,
});

export const prod = stackName("prod", "shop");
export const staging = stackName("staging", "shop");

const resource = (type: string, name: string, line?: number): ManagedResource => ({
  stack: prod,
  urn: `urn:pulumi:prod::shop::pulumi-nodejs:dynamic/nodecloud:${type}::${name}`,
  ...(line !== undefined && { source: { file: "shop/index.ts", line, column: 3 } }),
});

/** A comparison with everything that can be in one, in no order. */
export const drift: Drift = {
  stacks: [staging, prod],
  findings: [
    {
      kind: "unmanaged",
      type: "Node",
      id: "10",
      label: HOSTILE,
      tags: ["team-a", "old|tag"],
      account: ACCOUNT,
    },
    { kind: "unmanaged", type: "Node", id: "9", label: "bastion", account: ACCOUNT },
    {
      kind: "deleted",
      type: "DomainRecord",
      id: "1/22",
      label: "A www",
      account: ACCOUNT,
      resource: resource("DomainRecord", "www"),
    },
    {
      kind: "changed",
      type: "Node",
      id: "7",
      label: "web",
      account: ACCOUNT,
      resource: resource("Node", "web", 12),
      properties: [
        { path: "alerts.cpu", expected: 90, live: 80 },
        { path: "label", expected: "web", live: HOSTILE },
        // A comparison leaves the values out. A report does so too.
        { path: "rootPass", secret: true, expected: HIDDEN, live: HIDDEN },
        { path: "group", live: "" },
      ],
    },
    {
      kind: "changed",
      type: "DomainRecordSet",
      id: "1",
      account: ACCOUNT,
      resource: resource("DomainRecordSet", "zone", 20),
      properties: [],
      members: [
        { change: "changed", expected: "www A 192.0.2.1", live: "www A 192.0.2.9" },
        { change: "deleted", expected: "mail A 192.0.2.2" },
        { change: "added", live: "ftp A 192.0.2.3" },
      ],
    },
  ],
  coverage: [
    { account: ACCOUNT, type: "Node", objects: 3, managed: 1 },
    { account: ACCOUNT, type: "DomainRecord", objects: 3, managed: 3 },
    { account: ACCOUNT, type: "Image", objects: 0, managed: 0 },
  ],
  gaps: [{ what: `the images of ${ACCOUNT}`, reason: "the token lacks the scope images:read_only" }],
  notes: ["2 resources of other providers were left out"],
};

/** The same without findings and gaps. */
export const clean: Drift = { ...drift, findings: [], gaps: [], notes: [], coverage: [] };

/** The same with an object that two stacks manage, and nothing else. */
export const shared: Drift = {
  ...clean,
  findings: [
    {
      kind: "shared",
      type: "Node",
      id: "7",
      label: "web",
      account: ACCOUNT,
      resource: resource("Node", "web", 12),
      others: [
        { stack: staging, urn: "urn:pulumi:staging::shop::pulumi-nodejs:dynamic/nodecloud:Node::app" },
      ],
    },
  ],
};
