import { type Rig, refusals, startRig } from "../helpers/lifecycle";
import { databaseClaims } from "./database-claims";
import { inEachWay } from "../helpers/plugin";

inEachWay((way) => {
  let rig: Rig;
  beforeAll(async () => {
    rig = await startRig({ PostgresqlDatabase: "postgresql" }, {}, way);
  });
  afterAll(() => rig.stop());

  databaseClaims(() => rig, {
    type: "PostgresqlDatabase",
    engine: "postgresql/14.6",
    otherEngine: "postgresql/13.2",
    patchedVersion: "14.7",
    more: { replicationCommitType: "remote_write" },
    cases: {
      replicationCommitType: { change: "replaces", first: "remote_write", then: "off", removed: "local" },
    },
  });

  const onlyMysql = "is only for MySQL: the API has no operation to";

  refusals(
    () => rig,
    "PostgresqlDatabase",
    () => ({ region: "us-east", type: "g6-standard-1", engine: "postgresql/14.6" }),
    [
      [
        { credentialsResetTrigger: 1 },
        `credentialsResetTrigger ${onlyMysql} reset the credentials of a PostgreSQL database`,
      ],
      [
        { rootPassword: "hush" },
        `rootPassword ${onlyMysql} view or set the credentials of a PostgreSQL database`,
      ],
      [{ caCertificate: "x" }, `caCertificate ${onlyMysql} view the certificate of a PostgreSQL database`],
      [{ patchTrigger: 1 }, `patchTrigger ${onlyMysql} patch a PostgreSQL database`],
      [
        { restoreFromBackupId: 1 },
        `restoreFromBackupId ${onlyMysql} restore a backup of a PostgreSQL database`,
      ],
    ],
  );
});
