import { isObject, type Properties, same } from "../../../provider/base/values";
import { type Leaf } from "../../../provider/describe/fields";
import { type Conversion } from "./table";

const DAYS = ["monday", "tuesday", "wednesday", "thursday", "friday", "saturday", "sunday"];
const PURPOSES = ["public", "vlan"];

/** The prefix of public images, in states and here. */
const IMAGE_PREFIX = /^linode\//;

/** A value of a state as this package has it. */
export function convert(value: unknown, as: Conversion | undefined): unknown {
  if (value === null || value === undefined) return undefined;
  switch (as) {
    case "text":
      return typeof value === "number" || typeof value === "string" ? String(value) : undefined;
    case "image":
      return String(value).replace(IMAGE_PREFIX, "node/");
    case "weekday": {
      const day = DAYS.indexOf(String(value).toLowerCase());
      return day === -1 ? value : day + 1;
    }
    case "replication":
      return value === "async" ? "asynch" : value;
    case "interfaces":
      return Array.isArray(value) ? interfacesOf(value) : undefined;
    default:
      return value;
  }
}

/** The interfaces. Undefined if one has a purpose that the API reference does not show: their positions count. */
function interfacesOf(all: readonly unknown[]): Properties[] | undefined {
  const interfaces = all.filter(isObject);
  if (interfaces.some(({ purpose }) => !PURPOSES.includes(String(purpose)))) return undefined;
  return interfaces.map(({ purpose, label, ipam_address: ipamAddress }) => {
    const texts = Object.entries({ label, ipamAddress });
    return {
      purpose,
      ...Object.fromEntries(texts.filter(([, text]) => typeof text === "string" && text !== "")),
    };
  });
}

/** Whether a state has the value that the account shows. */
export function isEqual(leaf: Leaf, as: Conversion | undefined, stated: unknown, shown: unknown): boolean {
  // Without a value in the state, the configuration left it to the service.
  if (stated === undefined || stated === "" || leaf.followsService === true) return true;
  const live = convert(shown, as);
  const isEmpty = Array.isArray(stated) && stated.length === 0;
  if (live === undefined) return isEmpty || stated === 0 || same(leaf.comparison, leaf.default, stated);
  return same(leaf.comparison, stated, live);
}
