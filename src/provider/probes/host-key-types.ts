/** The algorithms of signatures for each type of host key. */
export const SIGNATURES: Readonly<Record<string, readonly string[]>> = {
  "ssh-ed25519": ["ssh-ed25519"],
  "ssh-rsa": ["rsa-sha2-512", "rsa-sha2-256"],
  "ecdsa-sha2-nistp256": ["ecdsa-sha2-nistp256"],
  "ecdsa-sha2-nistp384": ["ecdsa-sha2-nistp384"],
  "ecdsa-sha2-nistp521": ["ecdsa-sha2-nistp521"],
};

/** The types of host keys that can be compared. */
export const HOST_KEY_TYPES: readonly string[] = Object.keys(SIGNATURES);
