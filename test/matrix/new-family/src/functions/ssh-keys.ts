import { defineItem, defineList } from "./define";
import { type SshKeyResult } from "./results";
import { type GetFunction, type GetOutputFunction, type ItemArgs, type ListArgs } from "./types";

const list = defineList({
  name: "getSshKeys",
  reads: "sshKeys.list",
  collection: "sshKeys",
  nouns: ["key", "keys"],
  by: ["label"],
});
const item = defineItem("getSshKey", { list, reads: "sshKeys.get" });

/**
 * The SSH keys of the account.
 *
 * ```ts
 * const { sshKeys } = await nodecloud.getSshKeys({ sortBy: "label" });
 * ```
 */
export const getSshKeys: GetFunction<ListArgs<SshKeyResult> | undefined, { sshKeys: SshKeyResult[] }> =
  list.get;
/** Like {@link getSshKeys}, with outputs as arguments and as the result. */
export const getSshKeysOutput: GetOutputFunction<
  ListArgs<SshKeyResult> | undefined,
  { sshKeys: SshKeyResult[] }
> = list.getOutput;

/**
 * One SSH key: by its id, or by a label and a filter that match exactly one.
 *
 * ```ts
 * const laptop = await nodecloud.getSshKey({ label: "laptop" });
 * ```
 */
export const getSshKey: GetFunction<ItemArgs<SshKeyResult, "label">, SshKeyResult> = item.get;
/** Like {@link getSshKey}, with outputs as arguments and as the result. */
export const getSshKeyOutput: GetOutputFunction<
  ItemArgs<SshKeyResult, "label">,
  SshKeyResult
> = item.getOutput;
