import { z } from "zod";
import { crud } from "./crud";
import { typed } from "./operation";
import { asAnswer, dateTime, lenient } from "./schema";
import { type SshKey, type SshKeyCreate, type SshKeyUpdate } from "./types/ssh-keys";

/**
 * Body of the creation of a key.
 * @internal
 */
export const sshKeyCreate = z.object({
  /** Name in the account. */
  label: z.string().min(1).max(64),
  /** One line of an `authorized_keys` file. */
  ssh_key: z
    .string()
    .regex(/^ssh-[a-z0-9]+ [A-Za-z0-9+/]+$/, "must be the type and the key (without a comment)"),
});

/**
 * Body of the update of a key.
 * @internal
 */
export const sshKeyUpdate = sshKeyCreate.pick({ label: true }).partial();

/**
 * A public key that logs in to the nodes of the account.
 * @internal
 */
export const sshKey = z.looseObject({
  id: z.int(),
  ...asAnswer(sshKeyCreate.shape),
  /** Time of creation, `YYYY-MM-DDThh:mm:ss`. */
  created: lenient(dateTime),
});

/** Operations on the keys of the account. */
export const sshKeys = crud({
  path: "/profile/sshkeys",
  id: "sshKeyId",
  nouns: ["an SSH key", "the SSH keys"],
  scopes: "ssh_keys",
  reply: typed<SshKey>(sshKey),
  create: typed<SshKeyCreate>(sshKeyCreate),
  update: typed<SshKeyUpdate>(sshKeyUpdate),
  assumed: true,
});
