import { DEFAULT_SPEED } from "../emulator";

/** The options of `nodecloud-emulator`, as `parseArgs` takes them. */
export const OPTIONS = {
  port: { type: "string", default: "8080" },
  host: { type: "string", default: "127.0.0.1" },
  speed: { type: "string" },
  accounts: { type: "string" },
  data: { type: "string" },
  latency: { type: "string", default: "0" },
  origin: { type: "string" },
  version: { type: "boolean" },
  help: { type: "boolean" },
} as const;

/** What `--help` prints. */
export const HELP = `Usage: nodecloud-emulator [options]

The node cloud API on this machine, for trying and testing programs without an account. It
prints one line with its address when it answers requests; SIGINT and SIGTERM stop it.

Options:
  --port N           port to listen on, 0 for a free one   (default: ${OPTIONS.port.default})
  --host ADDRESS     address to listen on                  (default: ${OPTIONS.host.default})
  --speed N          how many times faster than real time
                     its clock runs; 0 stops the clock     (default: ${DEFAULT_SPEED},
                     or what is kept in --data)
  --accounts FILE    users, grants and tokens as JSON      (default: one unrestricted
                     user with the token "emulator-token")
  --data FILE        keeps all objects, ids and the clock
                     in FILE, safe against kill -9         (default: in memory only)
  --latency MS       how long every request waits          (default: ${OPTIONS.latency.default})
  --origin URL       where clients reach it, where that is
                     another address than the one at which
                     it hears them, as behind a proxy
  --version          print the version
  --help             print this text

A program uses it with these in its environment:
  NODECLOUD_BASE_URL=http://127.0.0.1:8080/v4    the address that is printed
  NODECLOUD_TOKEN=emulator-token                 or a token of --accounts

The control API, for tests: under http://127.0.0.1:8080/_emulator, without a token, for clients
on the same machine:
  /requests          what the API was asked (GET)
  /reset             everything back to the start, or a part (POST)
  /clock             the emulated time: look, advance, set the speed (GET, POST)
  /objects           /KIND, /KIND/ID: look, change, remove (GET, PATCH, DELETE)
  /faults            planned failures: plan, list, forget (POST, GET, DELETE)
  /openapi.json      an OpenAPI document of every operation (GET)
  /catalogue         the plans whose specs are known (GET)

Exit codes:
  0  a signal stopped it, or it printed what it was asked for
  1  the port is in use, or accounts or data cannot be used
  2  the command line cannot be understood

All of it in detail: docs/emulator.md in the repository of pulumi-nodecloud
`;
