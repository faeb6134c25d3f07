import { z } from "zod";
import { nodes } from "../../src/api/nodes";
import { defineResource, type InputRule, output } from "../../src/provider/describe/define-resource";
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

const common = {
  type: "Widget",
  noun: "widget",
  doc,
  example: "",
  fields,
  outputs: { status: output(z.string(), doc) },
  id: { form: "123", pattern: /^(?<id>\d+)$/ },
  identity: ["label"] as const,
  timeouts: { create: 1, update: 1, delete: 1 },
  answers: nodes.get,
  idOf: ({ id }: { id: number }) => String(id),
  read: () => Promise.resolve(undefined),
};

defineResource({
  ...common,
  inputRules: [labelRule],
  rules: ({ alerts }) => (alerts === undefined ? [] : [{ property: "alerts.cpu", reason: "is high" }]),
  create: async ({ inputs, idAt }) => {
    const size: number | undefined = inputs.size;
    idAt("region");
    void size;
    return undefined;
  },
  update: async ({ changed, done, live, inputs }) => {
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
  update: async ({ changed, done, inputs }) => {
    // @ts-expect-error -- there is no such input
    changed("lable");
    // @ts-expect-error -- nor is there one of this path
    changed("alerts.cpus");
    // @ts-expect-error -- nor one to be done with
    done("lable");
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
