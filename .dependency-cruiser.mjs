/** @type {import("dependency-cruiser").IConfiguration} */
export default {
  forbidden: [
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
