import { rooms } from "./scripts/layers.cjs";

/** Forbids the imports of a room from those above it, and from the files above all rooms. */
const orderOfRooms = Object.entries(rooms).flatMap(([part, order]) => [
  ...order.map((room, index) => ({
    name: "order-of-rooms",
    comment: "A room uses those below it only (scripts/layers.cjs).",
    severity: /** @type {const} */ ("error"),
    from: { path: `^src/${part}/${room}/` },
    to: {
      path: `^src/${part}/(${[...order.slice(index + 1).map((above) => `${above}/`), "[^/]+$"].join("|")})`,
    },
  })),
  {
    name: "unknown-room",
    comment: "scripts/layers.cjs says where a new room stands.",
    severity: /** @type {const} */ ("error"),
    from: {},
    to: { path: `^src/${part}/[^/]+/`, pathNot: `^src/${part}/(${order.join("|")})/` },
  },
]);

/** @type {import("dependency-cruiser").IConfiguration} */
export default {
  forbidden: [
    ...orderOfRooms,
    {
      name: "no-circular",
      comment: "Files in a circle cannot be read, moved or tested alone.",
      severity: "error",
      from: {},
      to: { circular: true },
    },
    {
      name: "hidden-properties",
      comment: "Only the codec of the state and that of the dynamic way know the hidden properties.",
      severity: "error",
      from: { pathNot: "^src/provider/state/(codec|handed)\\.ts$" },
      to: { path: "^src/provider/state/hidden-names\\.ts$" },
    },
    {
      name: "handed-properties",
      comment: "A hook is called with a typed call. Only the edges take hidden properties apart.",
      severity: "error",
      from: { pathNot: "^src/(serve|cli|provider/program)/" },
      to: { path: "^src/provider/state/handed\\.ts$" },
    },
  ],
  options: {
    doNotFollow: { path: "node_modules" },
    tsConfig: { fileName: "tsconfig.json" },
    // Imports of types too.
    tsPreCompilationDeps: true,
  },
};
