import { isIPv6 } from "node:net";

/** The shortest form of an IPv6 address. */
export const compressed = (address: string): string => new URL(`http://[${address}]/`).hostname.slice(1, -1);

/** An IPv6 address with all its zeros. */
export function expanded(address: string): string {
  const [front = [], back = []] = compressed(address)
    .split("::")
    .map((part) => part.split(":").filter((group) => group !== ""));
  const zeros = Array.from({ length: 8 - front.length - back.length }, () => "0");
  return [...front, ...zeros, ...back].map((group) => group.padStart(4, "0")).join(":");
}

/** An IPv6 address, with or without a mask, in another form. Any other text stays as it is. */
export function respeltIPv6(text: string, respell: (address: string) => string): string {
  const [address = "", ...mask] = text.split("/");
  return isIPv6(address) && !address.includes("%") ? [respell(address), ...mask].join("/") : text;
}
