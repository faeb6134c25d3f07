import { type Image } from "../../api/images";
import { type Node } from "../../api/nodes";
import { type AccountView } from "../../provider/describe/account-view";
import { everyOf } from "../../provider/run/account-reads";
import {
  type Validation,
  type Finding,
  refused,
  type RuleInputs,
} from "../../provider/describe/define-resource";
import { nearestName } from "../../provider/base/nearest-name";
import { UNKNOWN, valueAt } from "../../provider/base/values";

/** A text that the program sets, if it is known. */
function textAt<Path extends string>(inputs: RuleInputs<Path>, path: NoInfer<Path>): string | undefined {
  const value = valueAt(inputs, path);
  return typeof value === "string" && value !== UNKNOWN ? value : undefined;
}

const isGiven = <Path extends string>(inputs: RuleInputs<Path>, path: NoInfer<Path>) =>
  valueAt(inputs, path) != null;

const regionsOf = (account: AccountView) =>
  account.all("the regions", (client, options) => client.regions.list.all(options));

async function regionOf(account: AccountView, inputs: RuleInputs<"region">) {
  const wanted = textAt(inputs, "region");
  return wanted === undefined ? undefined : (await regionsOf(account)).find(({ id }) => id === wanted);
}

/** The region exists and has no outage. */
export const regionIsUp: Validation<"region"> = {
  about: ["region"],
  validate: async (account, inputs) => {
    const wanted = textAt(inputs, "region");
    if (wanted === undefined) return [];
    const regions = await regionsOf(account);
    const region = regions.find(({ id }) => id === wanted);
    if (region === undefined) {
      const ids = regions.map(({ id }) => id).join(", ");
      return refused("region", `"${wanted}" is not a region of the service; the regions are ${ids}`);
    }
    return region.status === "outage"
      ? refused("region", `"${wanted}" is in an outage: choose another region, or retry after the outage`)
      : [];
  },
};

/** The plan is available in the region. The service shows this for select plans only. */
export const planIsAvailable: Validation<"region" | "type"> = {
  about: ["region", "type"],
  validate: async (account, inputs) => {
    const [region, type] = [textAt(inputs, "region"), textAt(inputs, "type")];
    if (region === undefined || type === undefined) return [];
    const availability = await account.all("the availability of plans", (client, options) =>
      client.regions.listAvailability.all(options),
    );
    const ofPlan = availability.filter(({ plan }) => plan === type);
    if (!ofPlan.some((entry) => entry.region === region && !entry.available)) return [];
    const elsewhere = ofPlan.filter(({ available }) => available).map((entry) => entry.region);
    const advice =
      elsewhere.length > 0
        ? `it is available in ${elsewhere.join(", ")}`
        : "the service lists no region where it is available now";
    return refused("type", `"${type}" is not available in ${region}; ${advice}`);
  },
};

const listedImages = (account: AccountView) =>
  account.all("the images", (client, options) => client.images.list.all(options));

/** The public image that a misspelt id probably means. Of two equally near ones it is that with the greater number. */
function nearestImage(images: readonly Image[], wanted: string): string | undefined {
  const deployable = images.filter((image) => image.is_public && image.deprecated !== true);
  const ids = deployable.map(({ id }) => id).sort((a, b) => b.localeCompare(a, "en", { numeric: true }));
  return nearestName(wanted.includes("/") ? wanted : `node/${wanted}`, ids);
}

/** The present image. An image that this run has created, or that has become available, may be newer than the list. */
async function imageOf(account: AccountView, id: string): Promise<Image | null> {
  const listed = await listedImages(account);
  const image = listed.find((candidate) => candidate.id === id);
  const isCertain = image === undefined ? !id.startsWith("private/") : image.status === "available";
  return isCertain
    ? (image ?? null)
    : account.one(`the image ${id}`, (client, options) => client.images.get({ imageId: id }, options));
}

/** The image exists and is available. A deprecated image causes a warning, because it can still be deployed. */
export const imageIsDeployable: Validation<"image"> = {
  about: ["image"],
  validate: async (account, inputs): Promise<Finding<"image">[]> => {
    const wanted = textAt(inputs, "image");
    if (wanted === undefined) return [];
    const image = await imageOf(account, wanted);
    if (image === null) {
      const near = nearestImage(await listedImages(account), wanted);
      const hint =
        near === undefined
          ? "call getImages for the images that exist"
          : `did you mean ${near}? getImages lists all`;
      return refused("image", `"${wanted}" does not exist; ${hint}`);
    }
    if (image.status !== "available")
      return refused(
        "image",
        `"${wanted}" has the status ${image.status}; only an available image can be deployed`,
      );
    const eol = image.eol == null ? "" : `, and its planned end of life is ${image.eol}`;
    const reason = `"${wanted}" is deprecated${eol}: plan to move to another image`;
    return image.deprecated === true ? [{ property: "image", reason, warns: true }] : [];
  },
};

const userData = ["userData", "metadata.userData"] as const;
type UserData = (typeof userData)[number];

/** User data needs an image with `cloud-init` and a region with `Metadata`. */
export const userDataIsRead: Validation<"region" | "image" | UserData> = {
  about: ["region", "image", ...userData],
  validate: async (account, inputs) => {
    const property = userData.find((path) => isGiven(inputs, path));
    if (property === undefined) return [];
    const id = textAt(inputs, "image");
    const [region, image] = await Promise.all([
      regionOf(account, inputs),
      id === undefined ? undefined : imageOf(account, id),
    ]);
    const failures: Finding<UserData>[] = [];
    if (region?.capabilities?.includes("Metadata") === false) {
      const reason = `needs a region with the capability Metadata, which ${region.id} does not have`;
      failures.push({ property, reason });
    }
    if (image?.capabilities?.includes("cloud-init") === false) {
      const reason = `needs an image with the capability cloud-init, which ${image.id} does not have`;
      failures.push({ property, reason });
    }
    return failures;
  },
};

/** The node to clone exists. If it has user data, the clone needs its own. */
export const cloneSourceIsThere: Validation<"cloneFrom" | UserData> = {
  about: ["cloneFrom", ...userData],
  validate: async (account, inputs) => {
    const nodeId = textAt(inputs, "cloneFrom");
    if (nodeId === undefined) return [];
    const source = await nodeOf(account, nodeId);
    if (source === null) return refused("cloneFrom", `names the node ${nodeId}, which does not exist`);
    return source.has_user_data === true && !userData.some((path) => isGiven(inputs, path))
      ? refused(
          "userData",
          `is required: node ${nodeId} has user data, so its clone needs user data of its own`,
        )
      : [];
  },
};

/** The domain to clone exists. */
export const clonedDomainIsThere: Validation<"cloneFrom"> = {
  about: ["cloneFrom"],
  validate: async (account, inputs) => {
    const domainId = textAt(inputs, "cloneFrom");
    if (domainId === undefined) return [];
    const listed = await account.all(everyOf("Domain"), (client, options) =>
      client.domains.list.all(options),
    );
    const isThere =
      listed.some(({ id }) => String(id) === domainId) ||
      !(await account.isMissing(`the domain ${domainId}`, (client, options) =>
        client.domains.get({ domainId }, options),
      ));
    return isThere ? [] : refused("cloneFrom", `names the domain ${domainId}, which does not exist`);
  },
};

/** The backup of a node exists. A number alone does not tell of which node. */
export const backupIsThere = <Path extends string>(path: Path): Validation<Path> => ({
  about: [path],
  validate: async (account, inputs) => {
    const [nodeId, backupId] = textAt(inputs, path)?.split("/") ?? [];
    if (nodeId === undefined || backupId === undefined) return [];
    return (await isBackupMissing(account, nodeId, backupId))
      ? refused(path, `names the backup ${nodeId}/${backupId}, which does not exist; ${TO_LIST_BACKUPS}`)
      : [];
  },
});

export const isBackupMissing = (account: AccountView, nodeId: string, backupId: string): Promise<boolean> =>
  account.isMissing(`the backup ${nodeId}/${backupId}`, (client, options) =>
    client.nodeBackups.get({ nodeId, backupId }, options),
  );

export const TO_LIST_BACKUPS = "getNodeBackups lists the backups of a node";

async function nodeOf(account: AccountView, nodeId: string): Promise<Node | null> {
  const listed = await account.all("the nodes", (client, options) => client.nodes.list.all(options));
  return (
    listed.find(({ id }) => String(id) === nodeId) ??
    account.one(`the node ${nodeId}`, (client, options) => client.nodes.get({ nodeId }, options))
  );
}

/** The engine is of this kind of database, in a version that the service offers. */
export function engineIsOffered(kind: string): Validation<"engine"> {
  return {
    about: ["engine"],
    validate: async (account, inputs) => {
      const wanted = textAt(inputs, "engine");
      if (wanted === undefined) return [];
      const engines = await account.all("the database engines", (client, options) =>
        client.engines.list.all(options),
      );
      if (engines.some(({ id, engine }) => id === wanted && engine === kind)) return [];
      const offered = engines.filter(({ engine }) => engine === kind).map(({ id }) => id);
      return refused(
        "engine",
        `"${wanted}" is not a ${kind} engine that the service offers; it offers ${offered.join(", ") || "none"}`,
      );
    },
  };
}
