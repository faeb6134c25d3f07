import { type CollectionDescription } from "../../describe/define-collection";
import { type Held, type Wanted } from "../../state/members";
import { type Plan } from "../plan";

/** A change of one member. */
export type MemberStep =
  | { readonly kind: "remove"; readonly held: Held }
  | { readonly kind: "change"; readonly held: Held; readonly wanted: Wanted }
  | { readonly kind: "add"; readonly wanted: Wanted };

/** The changes of a plan in their order. A member that must go before another one can come is first, so that its place is not empty for long. */
export function stepsOf({ place }: CollectionDescription, { remove, change, add }: Plan): MemberStep[] {
  const wanted = new Set(add.map(({ inputs }) => place(inputs)));
  const isContested = ({ inputs }: Held) => wanted.has(place(inputs));
  const vacated = new Set(remove.filter(isContested).map(({ inputs }) => place(inputs)));
  const removal = (held: Held): MemberStep => ({ kind: "remove", held });
  const addition = (one: Wanted): MemberStep => ({ kind: "add", wanted: one });
  const follows = ({ inputs }: Wanted) => vacated.has(place(inputs));
  return [
    ...remove.filter(isContested).map(removal),
    ...add.filter(follows).map(addition),
    ...remove.filter((held) => !isContested(held)).map(removal),
    ...change.map((pair): MemberStep => ({ kind: "change", ...pair })),
    ...add.filter((one) => !follows(one)).map(addition),
  ];
}
