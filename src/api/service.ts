/* eslint-disable @typescript-eslint/no-require-imports -- each family is loaded with its schemas on first access */
import type * as backups from "./backups";
import type * as databases from "./databases";
import type * as domains from "./domains";
import type * as images from "./images";
import type * as nodes from "./nodes";
import type * as records from "./records";
import type * as regions from "./regions";

const ofDatabases = () => require("./databases") as typeof databases;

/** Every operation of the service, by family. */
export const service = {
  get nodes(): typeof nodes.nodes {
    return (require("./nodes") as typeof nodes).nodes;
  },
  get nodeBackups(): typeof backups.nodeBackups {
    return (require("./backups") as typeof backups).nodeBackups;
  },
  get engines(): typeof databases.engines {
    return ofDatabases().engines;
  },
  get databases(): typeof databases.databases {
    return ofDatabases().databases;
  },
  get mysql(): typeof databases.mysql {
    return ofDatabases().mysql;
  },
  get postgresql(): typeof databases.postgresql {
    return ofDatabases().postgresql;
  },
  get regions(): typeof regions.regions {
    return (require("./regions") as typeof regions).regions;
  },
  get domains(): typeof domains.domains {
    return (require("./domains") as typeof domains).domains;
  },
  get records(): typeof records.records {
    return (require("./records") as typeof records).records;
  },
  get images(): typeof images.images {
    return (require("./images") as typeof images).images;
  },
};

export type Service = typeof service;
