import { Session, type SessionOptions } from "../../src/provider/run/session";

/** A session of a plugin process against an emulator. Its home does not exist, so it writes no notes. */
export const sessionFor = (
  { url, token }: { readonly url: string; readonly token: string },
  {
    settings = {},
    ...options
  }: Omit<SessionOptions, "environment"> & { readonly settings?: Readonly<Record<string, string>> } = {},
): Session =>
  new Session({
    readOthers: () => Promise.resolve({ stacks: [], unread: 0 }),
    ...options,
    environment: {
      NODECLOUD_TOKEN: token,
      NODECLOUD_BASE_URL: url,
      PULUMI_HOME: process.execPath,
      ...settings,
    },
  });
