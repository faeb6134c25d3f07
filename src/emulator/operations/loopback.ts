import { isIPv4 } from "node:net";
import { type Store } from "../kind/kind";
import { database } from "../kinds/database";
import { node } from "../kinds/node";

/** The numbers of values of the second, third and fourth octet. Programs of the system use 127.0.0.0/16. */
const [SECOND, THIRD, FOURTH] = [254, 256, 254];

function addressAt(serial: number): string {
  const at = serial % (SECOND * THIRD * FOURTH);
  const second = 1 + Math.floor(at / (THIRD * FOURTH));
  return `127.${second}.${Math.floor(at / FOURTH) % THIRD}.${1 + (at % FOURTH)}`;
}

/** Whether a machine can have the address: no other computer can reach it. */
export const isLoopback = (address: string): boolean => isIPv4(address) && address.startsWith("127.");

/**
 * An address in 127.0.0.0/8 that no other object has. Ids are not reused, so addresses are not either. An object can
 * have two. It is undefined without machines.
 */
export function loopbackAddress(store: Store, id: number, second: 0 | 1 = 0): string | undefined {
  if (store.loopbackFrom === undefined) return undefined;
  const taken = new Set<string | null>([
    ...store
      .table(node)
      .all()
      .flatMap(({ fields }) => fields.ipv4),
    ...store
      .table(database)
      .all()
      .flatMap(({ fields: { hosts } }) => [hosts.primary, hosts.secondary]),
  ]);
  let serial = store.loopbackFrom + 2 * id + second;
  // An earlier start of the emulator may have left objects in the data file.
  while (taken.has(addressAt(serial))) serial += 1;
  return addressAt(serial);
}
