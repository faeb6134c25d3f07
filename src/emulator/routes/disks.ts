import { z } from "zod";
import { op, typed } from "../../api/operation";
import { byId, endpoints } from "../operations/endpoint";
import { type Store } from "../kind/kind";
import { node } from "../kinds/node";

/** The reference names the disks of a node but shows no operation on them. A capture of an image needs their ids. */
export const disks = {
  list: op({
    method: "GET",
    path: "/node/instances/{nodeId}/disks",
    summary: "Lists a node's disks.",
    paged: true,
    reply: typed(
      z.looseObject({
        id: z.int(),
        label: z.string(),
        status: z.string(),
        size: z.int(),
        filesystem: z.string(),
      }),
    ),
    scopes: ["nodes:read_only"],
    assumed: true,
  }),
};

export const routes = {
  disks: (store: Store) =>
    endpoints(disks, byId(store.table(node)), { list: ({ subject }) => subject.hidden.disks }),
};
