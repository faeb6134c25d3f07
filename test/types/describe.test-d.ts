import { z } from "zod";
import { nodes } from "../../src/api/nodes";
import { defineCollection } from "../../src/provider/describe/define-collection";
import {
  type Description,
  defineResource,
  type InputRule,
  output,
  type Validation,
} from "../../src/provider/describe/define-resource";
import { group, replace, update } from "../../src/provider/describe/fields";

const doc = "";
const fields = {
  label: update(z.string(), { doc }),
  size: update(z.int(), { doc, default: 1 }),
  region: replace(z.string(), { doc }),
  alerts: group({ type: "Alerts", doc }, { cpu: update(z.int(), { doc }) }),
};
const labelRule: InputRule<"label"> = { about: ["label"], check: ({ label }) => (label === "" ? [] : []) };
const nodeRule: InputRule<"lable"> = { about: ["lable"], check: () => [] };
const cpuIsOffered: Validation<"alerts.cpu"> = {
  about: ["alerts.cpu"],
  validate: async (_account, { alerts }) =>
    alerts === undefined ? [] : [{ property: "alerts.cpu", reason: "is high" }],
};
const misspelt: Validation<"alerts.cpus"> = { about: ["alerts.cpus"], validate: async () => [] };

const shared = {
  type: "Widget",
  noun: "widget",
  doc,
  example: "",
  fields,
  outputs: { status: output(z.string(), doc) },
  id: { form: "123", pattern: /^(?<id>\d+)$/ },
  identity: ["label"] as const,
  timeouts: { create: 1, update: 1, delete: 1 },
};
const common = {
  ...shared,
  answers: nodes.get,
  idOf: ({ id }: { id: number }) => String(id),
  read: () => Promise.resolve(undefined),
};

defineResource({
  ...common,
  unique: "label",
  id: { ...common.id, parent: "region" },
  onePer: { path: "region", of: "Node", because: "it is one" },
  declaredOnce: { within: "region", by: ["label", "alerts.cpu"] },
  derived: { label: { from: "region", of: async () => "" } },
  variants: {
    by: "size",
    common: { name: "CommonWidgetArgs", doc },
    cases: [{ name: "SmallWidgetArgs", doc, is: ["1"], requires: ["label"] }],
  },
  requires: { update: (changed) => (changed("alerts.cpu") ? nodes.update : nodes.get) },
  secretOutputs: ["status", "__hidden"],
  autoname: { path: "label", max: 10 },
  steady: { outputs: ["status"], unless: ["size"] },
  inputRules: [labelRule],
  validations: [cpuIsOffered],
  warnings: (changed, { size }) =>
    changed("alerts") && size === 1 ? [{ about: ["alerts.cpu"], line: "it is small" }] : [],
  actions: [
    {
      path: "alerts",
      what: (_ref, { label = "" }) => `alert ${label}`,
      send: async () => undefined,
      during: [],
      harm: "alerts twice",
      check: "Check the alerts",
    },
  ],
  rules: ({ alerts }) => (alerts === undefined ? [] : [{ property: "alerts.cpu", reason: "is high" }]),
  create: async ({ inputs, idAt }) => {
    const size: number | undefined = inputs.size;
    idAt("region");
    void size;
    return undefined;
  },
  update: async ({ changed, done, act, live, inputs }) => {
    await act("alerts");
    const status: string = live.status;
    const cpu: number | undefined = inputs.alerts?.cpu;
    if (changed("alerts.cpu") || changed("alerts")) done("label");
    void [status, cpu];
  },
});

const create = () => Promise.resolve(undefined);
defineResource({
  ...common,
  create,
  update: async ({ changed, done, act, inputs, live }) => {
    // @ts-expect-error -- there is no such input
    changed("lable");
    // @ts-expect-error -- nor is there one of this path
    changed("alerts.cpus");
    // @ts-expect-error -- nor one to be done with
    done("lable");
    // @ts-expect-error -- nor one whose action to carry out
    await act("alerts.cpus");
    // @ts-expect-error -- nor one below an object
    void inputs.alerts?.cpus;
    // @ts-expect-error -- an input has its own type
    const size: string | undefined = inputs.size;
    // @ts-expect-error -- and so has what the service answers
    const status: number = live.status;
    void [size, status];
    // @ts-expect-error -- nor one to read
    void inputs.lable;
    // @ts-expect-error -- nor by its name in quotes
    void inputs["lable"];
  },
});
// @ts-expect-error -- a parent is named by an input
defineResource({ ...common, create: ({ idAt }) => (idAt("lable"), create()) });
// @ts-expect-error -- a rule reads inputs that there are
defineResource({ ...common, create, rules: ({ lable }) => [lable].flatMap(() => []) });
// @ts-expect-error -- a failure names one
defineResource({ ...common, create, rules: () => [{ property: "lable", reason: "is wrong" }] });
// @ts-expect-error -- a rule of a family is about inputs of the resource
defineResource({ ...common, create, inputRules: [nodeRule] });
// @ts-expect-error -- a failure of a rule names one, also below an object
defineResource({ ...common, create, rules: () => [{ property: "alerts.cpus", reason: "is wrong" }] });
// @ts-expect-error -- a validation is about inputs of the resource
defineResource({ ...common, create, validations: [misspelt] });
defineResource({
  ...common,
  create,
  validations: [
    {
      about: ["label"],
      // @ts-expect-error -- a validation reads inputs that it is about
      validate: async (_account, { lable }) => (lable === "" ? [] : []),
    },
  ],
});
// @ts-expect-error -- a warning is of a change of an input
defineResource({ ...common, create, warnings: (changed) => (changed("lable") ? [] : []) });
// @ts-expect-error -- and is about inputs
defineResource({ ...common, create, warnings: () => [{ about: ["lable"], line: "it is small" }] });
// @ts-expect-error -- a name that is unique is an input
defineResource({ ...common, create, unique: "lable" });
// @ts-expect-error -- the parent's id is an input
defineResource({ ...common, create, id: { ...common.id, parent: "lable" } });
// @ts-expect-error -- so is what only one resource may have
defineResource({ ...common, create, onePer: { path: "lable", of: "Node", because: "it is one" } });
// @ts-expect-error -- so is what two resources are compared by
defineResource({ ...common, create, declaredOnce: { within: "region", by: ["lable"] } });
// @ts-expect-error -- so is what is derived
defineResource({ ...common, create, derived: { lable: { from: "label", of: async () => "" } } });
// @ts-expect-error -- and what it is derived from
defineResource({ ...common, create, derived: { label: { from: "lable", of: async () => "" } } });
// @ts-expect-error -- the shapes of inputs are told apart by an input
defineResource({ ...common, create, variants: { by: "lable", common: { name: "A", doc }, cases: [] } });
// @ts-expect-error -- what an operation waits for depends on changed inputs
defineResource({ ...common, create, requires: { update: (changed) => (changed("lable"), nodes.update) } });
// @ts-expect-error -- a secret output is an output
defineResource({ ...common, create, secretOutputs: ["stauts"] });
// @ts-expect-error -- an automatic name goes to an input
defineResource({ ...common, create, autoname: { path: "lable", max: 10 } });
// @ts-expect-error -- objects are told apart by inputs
defineResource({ ...common, create, identity: ["lable"] });
// @ts-expect-error -- what stays is an output
defineResource({ ...common, create, steady: { outputs: ["stauts"] } });
// @ts-expect-error -- a default fits its input
update(z.int(), { doc, default: "1" });
// @ts-expect-error -- an input has a documentation
update(z.int(), {});
// @ts-expect-error -- so has an output
output(z.string());
// @ts-expect-error -- an object requires inputs that it has
group({ type: "Alerts", doc, requires: ["cpus"] }, { cpu: update(z.int(), { doc }) });

declare const item: Description;
const collection = {
  ...shared,
  item,
  property: "label",
  forms: ["label"],
  most: 10,
  sameBy: [],
  place: () => "",
  write: () => "",
  parse: () => ({ inputs: {} }),
  inputsOf: () => ({}),
  entries: () => ({ entries: [], failures: [] }),
  scope: ["region"],
  fromId: () => undefined,
  covers: () => true,
  uncovered: "is elsewhere",
  exclusive: "size",
} as const;
defineCollection(collection);
// @ts-expect-error -- a collection is held by one of its inputs
defineCollection({ ...collection, property: "lable" });
// @ts-expect-error -- each form in which programs give it is an input
defineCollection({ ...collection, forms: ["label", "lables"] });
// @ts-expect-error -- so is what says which part it covers
defineCollection({ ...collection, scope: ["reggion"] });
// @ts-expect-error -- and what makes it own all of that
defineCollection({ ...collection, exclusive: "sise" });
// @ts-expect-error -- what it covers depends on inputs
defineCollection({ ...collection, covers: ({ lable }) => lable === undefined });
