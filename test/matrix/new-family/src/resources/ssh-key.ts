import { z } from "zod";
import { sshKeyCreate, sshKeys, sshKeyUpdate } from "../api/ssh-keys";
import { defineResource, output } from "../provider/describe/define-resource";
import { replace, update } from "../provider/describe/fields";

export const sshKey = defineResource({
  type: "SshKey",
  // What messages and docstrings call one.
  noun: "SSH key",
  doc: "A public SSH key that logs in to the nodes of the account.",
  example: `
new nodecloud.SshKey("laptop", { sshKey: "ssh-ed25519 AAAAC3NzaC1lZDI1NTE5AAAAIB" });`,
  // The data functions, getSshKeys and getSshKey.
  lookup: {
    by: ["label"],
    list: { example: `const { keys } = await nodecloud.getSshKeys({ sortBy: "label" });` },
    item: { example: `const laptop = await nodecloud.getSshKey({ label: "laptop" });` },
  },
  // The limits come from the schemas: of the update for an input that an update sends, of the creation for the others.
  // `doc` says what they do not: the meaning and the unit. Editors show the example too.
  fields: {
    label: update(sshKeyUpdate.shape.label, { doc: "The name of the key.", example: "laptop" }),
    sshKey: replace(sshKeyCreate.shape.ssh_key, {
      doc: "The public key: its type and its data, as in a line of `authorized_keys`.",
      example: "ssh-ed25519 AAAAC3NzaC1lZDI1NTE5AAAAIB",
      required: true,
    }),
  },
  outputs: {
    label: output(z.string(), "The name of the key."),
    created: output(z.string(), "When the key was added: `YYYY-MM-DDThh:mm:ss`."),
  },
  id: { form: "123", pattern: /^(?<id>[1-9]\d*)$/ },
  autoname: { path: "label" },
  // How the provider recognises a key if the answer to its creation was lost.
  identity: ["label"],
  // In minutes.
  timeouts: { create: 5, update: 5, delete: 5 },

  readOperation: sshKeys.get,
  idOf: (reply) => String(reply.id),
  create: ({ client, body }) => client.sshKeys.create(body(sshKeys.create)),
  read: (client, { id: sshKeyId }) => client.sshKeys.get({ sshKeyId }),
  list: (client, _, options) => client.sshKeys.list.all(options),
  update: ({ client, ref: { id: sshKeyId }, write }) =>
    write(sshKeys.update, (body) => client.sshKeys.update({ sshKeyId }, body)),
  delete: (client, { id: sshKeyId }) => client.sshKeys.delete({ sshKeyId }),
});
