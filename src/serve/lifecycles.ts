import { descriptions } from "../resources";
import type * as collections from "../provider/collection/lifecycle";
import { type AnyDescription, isCollection } from "../provider/describe/define-collection";
import { type Description } from "../provider/describe/define-resource";
import { type Ask } from "../provider/state/provider-interface";
import type * as resources from "../provider/hooks/lifecycle";
import { type Ports } from "../provider/run/session";
import { outlines } from "../sdk/outlines";
import { dynamic, type DynamicProvider } from "./dynamic";

/** Runs the resources of one type. */
export function serve(ports: Ports, type: keyof typeof descriptions): Ask {
  // Each describes its own kind of answer. Only their common part is used here.
  const description = descriptions[type] as AnyDescription;
  return isCollection(description)
    ? loadCollections().collectionLifecycle(ports, description, describe)
    : loadResources().lifecycle(ports, description, describe);
}

/** The description of a type of one object. */
function describe(type: string): Description | undefined {
  if (!Object.hasOwn(descriptions, type)) return undefined;
  const description = descriptions[type as keyof typeof descriptions] as AnyDescription;
  return isCollection(description) ? undefined : description;
}

/** Serves the dynamic resources of one type. */
export const dynamicOf = (ports: Ports, type: keyof typeof descriptions): DynamicProvider =>
  dynamic(ports, outlines[type], serve(ports, type));

// Most plugin processes run only resources of one object.
/* eslint-disable @typescript-eslint/no-require-imports -- loaded when the first resource needs it */
const loadResources = () => require("../provider/hooks/lifecycle") as typeof resources;
const loadCollections = () => require("../provider/collection/lifecycle") as typeof collections;
/* eslint-enable @typescript-eslint/no-require-imports */
