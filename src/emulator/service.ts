import { type Service } from "../api/service";
import { type Endpoint } from "./endpoint";
import { type Store } from "./objects";
import {
  allDatabaseEndpoints,
  engineEndpoints,
  mysqlEndpoints,
  postgresqlEndpoints,
} from "./routes/databases";
import { domainEndpoints } from "./routes/domains";
import { imageEndpoints } from "./routes/images";
import { nodeBackupEndpoints } from "./routes/node-backups";
import { nodeEndpoints } from "./routes/nodes";
import { recordEndpoints } from "./routes/records";
import { regionEndpoints } from "./routes/regions";

/** Every operation of the service with its behaviour: a family that is missing does not compile. */
export function serviceEndpoints(store: Store): Readonly<Record<keyof Service, Endpoint[]>> {
  return {
    nodes: nodeEndpoints(store),
    nodeBackups: nodeBackupEndpoints(store),
    engines: engineEndpoints(),
    databases: allDatabaseEndpoints(store),
    mysql: mysqlEndpoints(store),
    postgresql: postgresqlEndpoints(store),
    regions: regionEndpoints(),
    domains: domainEndpoints(store),
    records: recordEndpoints(store),
    images: imageEndpoints(store),
  };
}
