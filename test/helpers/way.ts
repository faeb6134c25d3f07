/** How the resources are served: as dynamic resources, or by the full plugin of this package. */
export type Way = "dynamic" | "plugin";

/** The way of this run of the tests. Without another wish, it is the dynamic one. */
export const WAY: Way = process.env["NODECLOUD_WAY"] === "plugin" ? "plugin" : "dynamic";
