import { databases } from "../api/databases";
import { engines } from "../api/engines";
import { regions } from "../api/regions";
import { type CommonDescription, type Description } from "../provider/describe/define-resource";

/** A kind of objects that programs read and no resource manages. */
type Unmanaged = Required<Pick<CommonDescription, "type" | "noun" | "lookup">> &
  Pick<Description, "readOperation">;

/** The kinds of objects that no resource manages, for the generation of their functions. */
export const unmanaged: readonly Unmanaged[] = [
  {
    type: "Database",
    noun: "database",
    readOperation: databases.list,
    lookup: {
      by: ["label"],
      list: {
        doc: "The databases of the account, of all engines.",
        example: `const { databases } = await nodecloud.getDatabases({ filter: { status: "active" } });`,
      },
    },
  },
  {
    type: "DatabaseEngine",
    noun: "database engine",
    readOperation: engines.get,
    lookup: {
      by: ["engine", "version"],
      id: { form: "<engine>/<version>, such as mysql/8.0.30", pattern: /^[^/]+\/[^/]+$/ },
      list: {
        doc: "The database engines that can be deployed, with their versions.",
        example: `const { engines } = await nodecloud.getDatabaseEngines({ filter: { engine: "mysql" } });`,
      },
      item: {
        doc: "One version of a database engine: by its id, or by an engine, a version and a filter that match exactly one.",
        example: String.raw`
const mysql = await nodecloud.getDatabaseEngine({ engine: "mysql", filter: { version: { matches: "^8\\.0\\.3" } } });
new nodecloud.MysqlDatabase("app", { engine: mysql.id, region: "us-east", type: "g6-standard-1" });`,
      },
    },
  },
  {
    type: "Region",
    noun: "region",
    readOperation: regions.get,
    lookup: {
      by: ["label"],
      id: { form: "a region's id, such as us-east", pattern: /^[^/]+$/ },
      list: {
        doc: "The regions.",
        example: `const { regions } = await nodecloud.getRegions({ filter: { country: "us", status: "ok" } });`,
      },
      item: { example: `const { capabilities } = await nodecloud.getRegion({ id: "us-east" });` },
      views: {
        Availability: {
          reads: regions.getAvailability,
          doc: "The availability of one plan in a region. The API chooses the plan.",
          example: `const { plan, available } = await nodecloud.getRegionAvailability({ regionId: "us-east" });`,
        },
      },
    },
  },
  {
    type: "RegionAvailability",
    noun: "availability",
    readOperation: regions.listAvailability,
    lookup: {
      by: ["region", "plan"],
      list: {
        doc: "Which plans can be deployed in which region. The API shows select plans only.",
        example: `const { availabilities } = await nodecloud.getRegionAvailabilities({ filter: { plan: "g7-premium-2", available: true } });`,
      },
    },
  },
];
