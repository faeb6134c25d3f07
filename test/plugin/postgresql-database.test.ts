import { type Bench, startBench } from "../helpers/lifecycle";
import { databaseClaims } from "./database-claims";

let bench: Bench;
beforeAll(async () => {
  bench = await startBench({ PostgresqlDatabase: "postgresql" });
});
afterAll(() => bench.stop());

databaseClaims(() => bench, {
  type: "PostgresqlDatabase",
  engine: "postgresql/14.6",
  otherEngine: "postgresql/13.2",
  patchedVersion: "14.7",
  more: { replicationCommitType: "remote_write" },
  cases: {
    replicationCommitType: { change: "replaces", first: "remote_write", then: "off", removed: "local" },
  },
});
