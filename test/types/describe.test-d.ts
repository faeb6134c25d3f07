import { z } from "zod";
import { nodes } from "../../src/api/nodes";
import { defineCollection } from "../../src/provider/describe/define-collection";
import {
  type Description,
  defineResource,
  type ChangeRule,
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
const labelRule: ChangeRule<"label"> = { about: ["label"], check: ({ label }) => (label === "" ? [] : []) };
const nodeRule: ChangeRule<"lable"> = { about: ["lable"], check: () => [] };
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
  readOperation: nodes.get,
  idOf: ({ id }: { id: number }) => String(id),
  read: () => Promise.resolve(undefined),
};

defineResource({
  ...common,
  unique: "label",
  id: { ...common.id, parent: "region" },
  onlyOnePer: { path: "region", of: "Node", because: "it is one" },
  contentIdentity: { within: "region", by: ["label", "alerts.cpu"] },
  derived: { label: { from: "region", of: async () => "" } },
  variants: {
    by: "size",
    common: { name: "CommonWidgetArgs", doc },
    cases: [{ name: "SmallWidgetArgs", doc, is: ["1"], requires: ["label"] }],
  },
  waitsForStatusOf: { update: (changed) => (changed("alerts.cpu") ? nodes.update : nodes.get) },
  secretOutputs: ["status"],
  autoname: { path: "label", max: 10 },
  steady: { outputs: ["status"], unless: ["size"] },
  changeRules: [labelRule],
  validations: [cpuIsOffered],
  warnings: (changed, { size }) =>
    changed("alerts") && size === 1 ? [{ about: ["alerts.cpu"], line: "it is small" }] : [],
  actions: [
    {
      path: "alerts",
      what: (_ref, { label = "" }) => `alert ${label}`,
      send: async () => undefined,
      statuses: [],
      ifRepeated: "alerts twice",
      userShouldCheck: "Check the alerts",
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
    // @ts-expect-error -- this input does not exist
    changed("lable");
    // @ts-expect-error -- this path does not exist
    changed("alerts.cpus");
    // @ts-expect-error -- `done` accepts only existing inputs
    done("lable");
    // @ts-expect-error -- `act` accepts only existing inputs
    await act("alerts.cpus");
    // @ts-expect-error -- an object has only its own inputs
    void inputs.alerts?.cpus;
    // @ts-expect-error -- an input has its own type
    const size: string | undefined = inputs.size;
    // @ts-expect-error -- an answer has its own type
    const status: number = live.status;
    void [size, status];
    // @ts-expect-error -- only existing inputs can be read
    void inputs.lable;
    // @ts-expect-error -- also by a name in quotes
    void inputs["lable"];
  },
});
// @ts-expect-error -- an input names the parent
defineResource({ ...common, create: ({ idAt }) => (idAt("lable"), create()) });
// @ts-expect-error -- a rule reads only existing inputs
defineResource({ ...common, create, rules: ({ lable }) => [lable].flatMap(() => []) });
// @ts-expect-error -- a failure names an existing input
defineResource({ ...common, create, rules: () => [{ property: "lable", reason: "is wrong" }] });
// @ts-expect-error -- the rules of a family must be about inputs of the resource
defineResource({ ...common, create, changeRules: [nodeRule] });
// @ts-expect-error -- a failure names an existing input, also in an object
defineResource({ ...common, create, rules: () => [{ property: "alerts.cpus", reason: "is wrong" }] });
// @ts-expect-error -- a validation must be about inputs of the resource
defineResource({ ...common, create, validations: [misspelt] });
defineResource({
  ...common,
  create,
  validations: [
    {
      about: ["label"],
      // @ts-expect-error -- a validation reads only its own inputs
      validate: async (_account, { lable }) => (lable === "" ? [] : []),
    },
  ],
});
// @ts-expect-error -- a warning depends on changes of existing inputs
defineResource({ ...common, create, warnings: (changed) => (changed("lable") ? [] : []) });
// @ts-expect-error -- a warning is about existing inputs
defineResource({ ...common, create, warnings: () => [{ about: ["lable"], line: "it is small" }] });
// @ts-expect-error -- a unique name is an input
defineResource({ ...common, create, unique: "lable" });
// @ts-expect-error -- the parent's id is an input
defineResource({ ...common, create, id: { ...common.id, parent: "lable" } });
// @ts-expect-error -- `onlyOnePer` names an input
defineResource({ ...common, create, onlyOnePer: { path: "lable", of: "Node", because: "it is one" } });
// @ts-expect-error -- `contentIdentity` names inputs
defineResource({ ...common, create, contentIdentity: { within: "region", by: ["lable"] } });
// @ts-expect-error -- a derived property is an input
defineResource({ ...common, create, derived: { lable: { from: "label", of: async () => "" } } });
// @ts-expect-error -- its source is an input
defineResource({ ...common, create, derived: { label: { from: "lable", of: async () => "" } } });
// @ts-expect-error -- an input distinguishes the shapes of inputs
defineResource({ ...common, create, variants: { by: "lable", common: { name: "A", doc }, cases: [] } });
// @ts-expect-error -- a precondition depends on changes of existing inputs
defineResource({ ...common, create, waitsForStatusOf: { update: (is) => (is("lable"), nodes.update) } });
// @ts-expect-error -- a secret output is an output
defineResource({ ...common, create, secretOutputs: ["stauts"] });
// @ts-expect-error -- an automatic name is the value of an input
defineResource({ ...common, create, autoname: { path: "lable", max: 10 } });
// @ts-expect-error -- inputs distinguish objects
defineResource({ ...common, create, identity: ["lable"] });
// @ts-expect-error -- only outputs can be steady
defineResource({ ...common, create, steady: { outputs: ["stauts"] } });
// @ts-expect-error -- a default has the type of its input
update(z.int(), { doc, default: "1" });
// @ts-expect-error -- an input requires documentation
update(z.int(), {});
// @ts-expect-error -- an output requires documentation
output(z.string());
// @ts-expect-error -- an object requires only its own inputs
group({ type: "Alerts", doc, requires: ["cpus"] }, { cpu: update(z.int(), { doc }) });

declare const item: Description;
const collection = {
  ...shared,
  item,
  property: "label",
  forms: ["label"],
  maxMembers: 10,
  sameBy: [],
  place: () => "",
  write: () => "",
  parse: () => ({ inputs: {} }),
  inputsOf: () => ({}),
  entries: () => ({ entries: [], failures: [] }),
  scope: ["region"],
  fromId: () => undefined,
  covers: () => true,
  uncovered: () => "is elsewhere",
  exclusive: "size",
} as const;
defineCollection(collection);
// @ts-expect-error -- an input contains the members of a collection
defineCollection({ ...collection, property: "lable" });
// @ts-expect-error -- each form of the members is an input
defineCollection({ ...collection, forms: ["label", "lables"] });
// @ts-expect-error -- the scope is an input
defineCollection({ ...collection, scope: ["reggion"] });
// @ts-expect-error -- the switch of exclusive sets is an input
defineCollection({ ...collection, exclusive: "sise" });
// @ts-expect-error -- `covers` reads only existing inputs
defineCollection({ ...collection, covers: ({ lable }) => lable === undefined });
