import { regions } from "../../api/regions";
import { AVAILABILITY, REGIONS } from "../operations/catalogue";
import { byName, endpoints } from "../operations/endpoint";
import { notFound } from "../base/refusal";

export const routes = {
  regions: () =>
    endpoints(regions, byName(REGIONS), {
      list: () => REGIONS,
      listAvailability: () => AVAILABILITY,
      get: ({ subject }) => subject,
      getAvailability({ subject }) {
        const found = AVAILABILITY.find(({ region }) => region === subject.id);
        if (!found) throw notFound();
        return found;
      },
    }),
};
