import { type DataRoute } from "../operations/endpoint";
import { UPLOAD_PATH, takeUpload } from "../images/uploads";

export const dataRoutes: readonly DataRoute[] = [
  {
    path: `${UPLOAD_PATH}/:id/:key`,
    take: (store, { id = "", key = "" }, data, announcedBytes) =>
      takeUpload(store, { id, key }, data, announcedBytes),
  },
];
