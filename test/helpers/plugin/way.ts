import { join } from "node:path";
import type * as pulumi from "@pulumi/pulumi";
import { PLUGIN_TYPE_PREFIX, TYPE_PREFIX } from "../../../src/provider/describe/type-token";
import { type Description } from "../../../src/provider/describe/define-resource";
import { outlineOf } from "../../../src/provider/state/make-outline";
import { providerText } from "../../../src/provider/program/provider-text";
import { HIDDEN } from "../../../src/provider/state/hidden-names";
import { ROOT } from "../programs";
import { registered } from "../registered";
import { WAY, type Way } from "../way";
import { SHORT } from "../whole";
import { programValues } from "./program-values";
import { type Properties } from "./wire";

export { WAY, type Way };

/** Defines tests that run once in each way of serving resources, and in a short run in one of them. */
export function inEachWay(define: (way: Way) => void): void {
  describe.each<Way>(SHORT ? [WAY] : ["dynamic", "plugin"])("in the %s way", define);
}

/** All that an engine does differently. */
export interface Serving {
  /** The file that Node.js runs. */
  readonly launched: string;
  readonly typePrefix: string;
  /** The provider's settings, given by their keys in a stack's configuration. */
  settings(configuration: Readonly<Record<string, string>>): Properties;
  /** What a program's resource hands to `check`. */
  news(
    description: Description,
    name: string,
    args: Properties,
    options: pulumi.CustomResourceOptions,
  ): Promise<Properties>;
  /** The properties of a resource that a program reads by its id. */
  ofReading(type: string): Properties;
  /** Whether the engine itself imports and tells timeouts. If not, hidden inputs do. */
  readonly engineHandlesOptions: boolean;
}

const SERVING: Readonly<Record<Way, Serving>> = {
  dynamic: {
    launched: join(ROOT, "node_modules/@pulumi/pulumi/cmd/dynamic-provider"),
    typePrefix: TYPE_PREFIX,
    settings: (configuration) => configuration,
    news: registered,
    ofReading: (type) => ({ [HIDDEN.provider]: providerText(type) }),
    engineHandlesOptions: false,
  },
  plugin: {
    launched: join(ROOT, "dist/bin/pulumi-resource-nodecloud.js"),
    typePrefix: PLUGIN_TYPE_PREFIX,
    settings: (configuration) =>
      Object.fromEntries(
        Object.entries(configuration).map(([key, value]) => [key.replace(/^nodecloud:/, ""), value]),
      ),
    news: (description, _, args) => programValues(outlineOf(description), args),
    ofReading: () => ({}),
    engineHandlesOptions: true,
  },
};

export const servingOf = (way: Way): Serving => SERVING[way];
