import { DomainRecord, Node } from "../sdk/plugin";
import { NodePool as DynamicNodePool } from "./node-pool";

/** {@link DynamicNodePool} with resources of the full plugin. */
export class NodePool extends DynamicNodePool {
  protected static override readonly children = { Node, DomainRecord };
}
