import { type Rig, everyField, lifecycle, refusals, startRig } from "../helpers/lifecycle";

let rig: Rig;
beforeAll(async () => {
  // What the emulator's control API calls the objects.
  rig = await startRig({ SshKey: "sshKeys" });
});
afterAll(() => rig.stop());

const aKey = () => ({ sshKey: "ssh-ed25519 AAAAC3NzaC1lZDI1NTE5AAAAIA" });
const anotherKey = "ssh-rsa AAAAB3NzaC1yc2EAAAADAQABAAAB";

lifecycle(() => rig, {
  type: "SshKey",
  first: () => ({ ...aKey(), label: "laptop" }),
  changed: (first) => ({ ...first, label: "desktop" }),
  replaced: (first) => ({ ...first, sshKey: anotherKey }),
  ids: { unknown: "999999", malformed: "laptop" },
  different: { path: "label", value: "desktop" },
});

describe("inputs", () => {
  everyField(() => rig, {
    type: "SshKey",
    base: aKey,
    cases: {
      label: { change: "updates", first: "one", then: "two" },
      sshKey: { change: "replaces", first: aKey().sshKey, then: anotherKey },
    },
  });
});

refusals(() => rig, "SshKey", aKey, [
  [{ label: "x".repeat(65) }, "label must be at most 64 characters long, not 65"],
  [{ sshKey: "AAAAC3Nz" }, 'sshKey must be the type and the key (without a comment), not "AAAAC3Nz"'],
  [{ sshkey: anotherKey }, "sshkey is not a property of this resource; did you mean sshKey?"],
]);
