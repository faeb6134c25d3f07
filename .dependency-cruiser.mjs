/** Files that import each other in a circle. New files never belong here. */
const circular = [
  "src/emulator/(answers|observe).ts",
  "src/provider/creation/",
  "src/provider/engine/(rows|warnings).ts",
  "src/provider/hooks/",
  "src/provider/process/(ownership|run-record|session).ts",
  "src/provider/program/(ignore-changes|registration).ts",
];

/** @type {import("dependency-cruiser").IConfiguration} */
export default {
  forbidden: [
    {
      name: "no-circular",
      comment: "A circle has no first file to read, and its files cannot be moved or tested alone.",
      severity: "error",
      from: { pathNot: `^(${circular.join("|").replaceAll(".", "\\.")})` },
      to: { circular: true },
    },
  ],
  options: {
    doNotFollow: { path: "node_modules" },
    tsConfig: { fileName: "tsconfig.json" },
    // Imports of types too.
    tsPreCompilationDeps: true,
  },
};
