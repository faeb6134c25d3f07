// Written by `npm run generate` from the files beside it.
/* eslint-disable @typescript-eslint/no-require-imports -- each is loaded on first use, with the schemas that it needs */
import type * as backups from "./backups";
import type * as databases from "./databases";
import type * as domains from "./domains";
import type * as engines from "./engines";
import type * as images from "./images";
import type * as nodes from "./nodes";
import type * as records from "./records";
import type * as regions from "./regions";

/** Every operation of the service, by family. */
export const service = {
  get databases(): typeof databases.databases {
    return (require("./databases") as typeof databases).databases;
  },
  get domains(): typeof domains.domains {
    return (require("./domains") as typeof domains).domains;
  },
  get engines(): typeof engines.engines {
    return (require("./engines") as typeof engines).engines;
  },
  get images(): typeof images.images {
    return (require("./images") as typeof images).images;
  },
  get mysql(): typeof databases.mysql {
    return (require("./databases") as typeof databases).mysql;
  },
  get nodeBackups(): typeof backups.nodeBackups {
    return (require("./backups") as typeof backups).nodeBackups;
  },
  get nodes(): typeof nodes.nodes {
    return (require("./nodes") as typeof nodes).nodes;
  },
  get postgresql(): typeof databases.postgresql {
    return (require("./databases") as typeof databases).postgresql;
  },
  get records(): typeof records.records {
    return (require("./records") as typeof records).records;
  },
  get regions(): typeof regions.regions {
    return (require("./regions") as typeof regions).regions;
  },
};

export type Service = typeof service;
