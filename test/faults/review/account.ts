import { descriptions } from "../../../src/resources";
import { isCollection } from "../../../src/provider/describe/define-collection";
import { classIn } from "../../../src/provider/describe/type-token";
import { nameInUrn } from "../../../src/provider/describe/urn";
import { heldIn } from "../../../src/provider/state/members";
import { stateIn } from "../../../src/provider/state/codec";
import { type Properties } from "../../../src/provider/base/values";
import { type TestEmulator } from "../../helpers/emulator";
import { isOurs } from "../../helpers/outcome";
import { type TestStack } from "../../helpers/stack";
import { objectsOf, ownId } from "../account";
import { type Kind, SUBJECTS } from "../kinds";

/** All objects of an account that requests created, by collection and id. */
export type Account = ReadonlyMap<string, Properties>;

const COLLECTIONS = [...new Set(Object.values(SUBJECTS).map(({ objects }) => objects))];

export async function accountIn({ control }: TestEmulator): Promise<Account> {
  const all = new Map<string, Properties>();
  for (const collection of COLLECTIONS)
    for (const object of await objectsOf(control, collection)) all.set(`${collection} ${object.id}`, object);
  return all;
}

/** A resource of the state with the objects that it manages. */
export interface Managed {
  readonly urn: string;
  readonly name: string;
  readonly kind: Kind;
  readonly id: string;
  readonly inputs: Properties;
  readonly outputs: Properties;
  readonly retainOnDelete: boolean;
  /** Keys of the account. */
  readonly objects: readonly string[];
}

interface InState {
  readonly urn: string;
  readonly type: string;
  readonly id?: string;
  readonly inputs?: Properties;
  readonly outputs?: Properties;
  readonly retainOnDelete?: boolean;
  readonly delete?: boolean;
}

/** The resources of this package in the state of a stack, by URN. Objects whose deletion an earlier run has left to the next one belong to theirs. */
export function managedBy(stack: TestStack): ReadonlyMap<string, Managed> {
  const { checkpoint } = JSON.parse(stack.rawState()) as {
    checkpoint: { latest?: { resources?: InState[] } };
  };
  const resources = (checkpoint.latest?.resources ?? []).filter(({ type }) => isOurs(type));
  const all = new Map<string, Managed>();
  for (const resource of resources.sort((one, other) => Number(isLeft(one)) - Number(isLeft(other)))) {
    const one = managedIn(resource);
    const own = all.get(one.urn);
    all.set(one.urn, own === undefined ? one : { ...own, objects: [...own.objects, ...one.objects] });
  }
  return all;
}

const isLeft = (resource: InState): boolean => resource.delete === true;

function managedIn({
  urn,
  type,
  id = "",
  inputs = {},
  outputs = {},
  retainOnDelete = false,
}: InState): Managed {
  const kind = classIn(type) as Kind;
  const description = descriptions[kind];
  const ids = isCollection(description)
    ? heldIn(description, stateIn(outputs)).map((held) => held.id)
    : [ownId(id)];
  const objects = ids.map((one) => `${SUBJECTS[kind].objects} ${one}`);
  return { urn, name: nameInUrn(urn), kind, id, inputs, outputs, retainOnDelete, objects };
}
