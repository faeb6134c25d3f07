// Written by `npm run generate`.
import { type Service } from "../../api/service";
import { type Routes } from "../operations/endpoint";
import { routes as databases } from "./databases";
import { routes as disks } from "./disks";
import { routes as domains } from "./domains";
import { routes as images } from "./images";
import { routes as nodeBackups } from "./node-backups";
import { routes as nodes } from "./nodes";
import { routes as records } from "./records";
import { routes as regions } from "./regions";

/** The routes of every family, by its name. A family of the API without routes does not compile. */
export const routes = {
  ...databases,
  ...disks,
  ...domains,
  ...images,
  ...nodeBackups,
  ...nodes,
  ...records,
  ...regions,
} satisfies Readonly<Record<keyof Service, Routes>>;
