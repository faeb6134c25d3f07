/* eslint-disable @typescript-eslint/no-require-imports -- each is loaded when it is used, with the library that it needs */
import { type Report } from "../report";
import type * as html from "./html";
import type * as json from "./json";
import type * as junit from "./junit";
import type * as markdown from "./markdown";
import type * as sarif from "./sarif";
import type * as table from "./table";

export type DriftFormat = "table" | "markdown" | "html" | "json" | "sarif" | "junit";

/** The formats of a report by their names. */
export const FORMATS: Readonly<Record<DriftFormat, (report: Report, look: table.TableLook) => string>> = {
  table: (report, look) => (require("./table") as typeof table).table(report, look),
  markdown: (report) => (require("./markdown") as typeof markdown).markdown(report),
  html: (report) => (require("./html") as typeof html).html(report),
  json: (report) => (require("./json") as typeof json).json(report),
  sarif: (report) => (require("./sarif") as typeof sarif).sarif(report),
  junit: (report) => (require("./junit") as typeof junit).junit(report),
};
