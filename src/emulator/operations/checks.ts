import { isIPv4, isIPv6 } from "node:net";
import { REGIONS } from "./catalogue";
import { type Reason, reasonsIf } from "../base/refusal";

/** The reasons to refuse a region. An omitted region is valid. */
export function regionFaults(id: string | undefined): Reason[] {
  const isKnown = id === undefined || REGIONS.some((region) => region.id === id);
  return reasonsIf([!isKnown, "region", "is not a known region"]);
}

/** Whether a text is an IP address or a CIDR range. */
function isAddressOrRange(text: string): boolean {
  const [address = "", prefix = "0", ...rest] = text.split("/");
  const most = isIPv4(address) ? 32 : isIPv6(address) ? 128 : -1;
  return rest.length === 0 && /^\d{1,3}$/.test(prefix) && Number(prefix) <= most;
}

/** The reasons to refuse a list of addresses or ranges. */
export function addressFaults(field: string, addresses: readonly string[] = []): Reason[] {
  const strays = addresses.filter((address) => !isAddressOrRange(address));
  const rule = "must contain IP addresses or CIDR ranges";
  return reasonsIf([strays.length > 0, field, `${rule}, not ${JSON.stringify(strays[0])}`]);
}
