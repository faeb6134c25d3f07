/** The source of passwords and of names that nobody can guess. */
export type RandomBytes = (size: number) => Buffer;

/** A random (version 4) UUID. */
export function randomUuid(randomBytes: RandomBytes): string {
  const bytes = randomBytes(16);
  bytes.writeUInt8((bytes.readUInt8(6) & 0x0f) | 0x40, 6);
  bytes.writeUInt8((bytes.readUInt8(8) & 0x3f) | 0x80, 8);
  return bytes.toString("hex").replace(/^(.{8})(.{4})(.{4})(.{4})(.{12})$/, "$1-$2-$3-$4-$5");
}

/** A password, or a name that nobody can guess. */
export const randomText = (randomBytes: RandomBytes): string => randomBytes(18).toString("base64url");
