import { z } from "zod";
import { op, typed } from "./operation";
import { answered, dateTime, empty, info } from "./schema";
import { type Empty } from "./types/common";
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
  ...answered(sshKeyCreate.shape),
  /** Time of creation, `YYYY-MM-DDThh:mm:ss`. */
  created: info(dateTime),
});

const READ = { scopes: ["nodes:read_only"], assumed: true } as const;
const WRITE = { scopes: ["nodes:read_write"], assumed: true } as const;

/** Operations on the keys of the account. */
export const sshKeys = {
  /** Lists the keys, page by page. */
  list: op({
    method: "GET",
    path: "/profile/sshkeys",
    summary: "Lists the SSH keys.",
    paged: true,
    reply: typed<SshKey>(sshKey),
    ...READ,
  }),
  /** Adds a key. */
  create: op({
    method: "POST",
    path: "/profile/sshkeys",
    summary: "Adds an SSH key.",
    body: typed<SshKeyCreate>(sshKeyCreate),
    reply: typed<SshKey>(sshKey),
    ...WRITE,
  }),
  /** Views one key. */
  get: op({
    method: "GET",
    path: "/profile/sshkeys/{sshKeyId}",
    summary: "Views an SSH key.",
    reply: typed<SshKey>(sshKey),
    ...READ,
  }),
  /** Renames a key. */
  update: op({
    method: "PUT",
    path: "/profile/sshkeys/{sshKeyId}",
    summary: "Renames an SSH key.",
    body: typed<SshKeyUpdate>(sshKeyUpdate),
    reply: typed<SshKey>(sshKey),
    ...WRITE,
  }),
  /** Deletes a key. */
  delete: op({
    method: "DELETE",
    path: "/profile/sshkeys/{sshKeyId}",
    summary: "Deletes an SSH key.",
    reply: typed<Empty>(empty),
    ...WRITE,
  }),
};
