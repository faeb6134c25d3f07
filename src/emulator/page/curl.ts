import { DEFAULT_TOKEN } from "../operations/accounts";
import { baseUrl } from "./layout";
import { type View } from "./view";

/** The token for an example: the default token if it works, or else the name of a variable. */
export const exampleToken = ({ emulation: { directory } }: View): string =>
  directory.has(DEFAULT_TOKEN) ? DEFAULT_TOKEN : "$NODECLOUD_TOKEN";

/** A command that sends a body to the API. */
export function apiCommand(
  view: View,
  { path, body }: { readonly path: string; readonly body: object },
): string {
  return [
    `curl ${baseUrl(view)}${path} \\`,
    `  -H "Authorization: Bearer ${exampleToken(view)}" -H "Content-Type: application/json" \\`,
    `  -d '${JSON.stringify(body)}'`,
  ].join("\n");
}

/** A command that sends a body to the control API. */
export function controlCommand({ origin }: View, path: string, body: object, method?: "PATCH"): string {
  const sent = method === undefined ? "" : `-X ${method} `;
  return `curl ${sent}${origin}/_emulator${path} -d '${JSON.stringify(body)}'`;
}

/** A command that removes an object with the control API. */
export const removalCommand = ({ origin }: View, path: string): string =>
  `curl -X DELETE ${origin}/_emulator${path}`;
