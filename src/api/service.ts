import { nodeBackups } from "./backups";
import { databases, engines, mysql, postgresql } from "./databases";
import { domains } from "./domains";
import { images } from "./images";
import { nodes } from "./nodes";
import { records } from "./records";
import { regions } from "./regions";

/** Every operation of the service, by family. */
export const service = {
  nodes,
  nodeBackups,
  engines,
  databases,
  mysql,
  postgresql,
  regions,
  domains,
  records,
  images,
};

export type Service = typeof service;
