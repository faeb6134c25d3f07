import { type Finding, type ChangeRule, type RuleInputs } from "../../provider/describe/define-resource";
import { isGiven, isObject, UNKNOWN, valueAt } from "../../provider/base/values";

const has = <Path extends string>(inputs: RuleInputs<Path>, path: NoInfer<Path>): boolean =>
  isGiven(valueAt(inputs, path));

type Source = "image" | "stackscriptId" | "cloneFrom";
type UserData = "userData" | "metadata.userData" | "metadata";
type Deployed =
  "rootPass" | "authorizedKeys" | "authorizedUsers" | "swapSize" | "stackscriptId" | "stackscriptData";

const isDeployed = (inputs: RuleInputs<Source>): boolean =>
  (["image", "stackscriptId", "cloneFrom"] as const).some((source) => has(inputs, source));

/** User data "requires an image with capability `cloud-init`". A clone has the image of its source. */
export const userDataHasAnImage: ChangeRule<UserData | Source> = {
  about: ["userData", "metadata.userData", "metadata"],
  creation: true,
  check: (inputs) => {
    const property = (["userData", "metadata.userData"] as const).find((path) => has(inputs, path));
    const hasImage = has(inputs, "image") || has(inputs, "cloneFrom");
    return property === undefined || hasImage
      ? []
      : [{ property, reason: "needs an image with the capability cloud-init; set image, or remove it" }];
  },
};

/** Inputs that the service accepts and does not use. The reference says so about `swap_size`, and names the deployments that use the others. */
export const deploymentIsUsed: ChangeRule<Deployed | Source> = {
  about: ["rootPass", "authorizedKeys", "authorizedUsers", "swapSize", "stackscriptId", "stackscriptData"],
  creation: true,
  check: (inputs) => [
    ...(isDeployed(inputs)
      ? []
      : warn(
          inputs,
          ["rootPass", "authorizedKeys", "authorizedUsers"],
          "is for a node that is deployed from an image or a StackScript; set image, or remove it",
        )),
    ...(has(inputs, "image") || has(inputs, "cloneFrom")
      ? []
      : [
          ...warn(inputs, ["swapSize"], "is ignored without an image; set image, or remove it"),
          ...warn(inputs, ["stackscriptId"], "requires a compatible image; set image"),
        ]),
    ...(has(inputs, "stackscriptId")
      ? []
      : warn(inputs, ["stackscriptData"], "is the input of a StackScript; set stackscriptId, or remove it")),
  ],
};

/** A new node gets a private address only if the program asks for it. What a clone gets is not shown. */
export const readyAddressExists: ChangeRule<"readyWhen" | "privateIp" | "cloneFrom" | "backupId"> = {
  about: ["readyWhen", "privateIp"],
  creation: true,
  check: (inputs) => {
    const asked = valueAt(inputs, "readyWhen");
    const isPrivate =
      isObject(asked) && Object.values(asked).some((one) => isObject(one) && one["address"] === "private");
    const mayHave =
      [true, UNKNOWN].includes(valueAt(inputs, "privateIp") as never) ||
      has(inputs, "cloneFrom") ||
      has(inputs, "backupId");
    return isPrivate && !mayHave
      ? [
          {
            property: "readyWhen",
            reason:
              "asks for the private IPv4 address, and the node gets none; set privateIp: true, or another address",
          },
        ]
      : [];
  },
};

const warn = <Path extends string>(
  inputs: RuleInputs<Path>,
  properties: readonly NoInfer<Path>[],
  reason: string,
): Finding<Path>[] =>
  properties
    .filter((property) => has(inputs, property))
    .map((property) => ({ property, reason, warns: true }));
