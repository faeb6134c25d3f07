import { DEFAULT_SPEED } from "../emulator";

/** The options of `nodecloud-emulator`, in the format of `parseArgs`. */
export const OPTIONS = {
  port: { type: "string", default: "8080" },
  host: { type: "string", default: "127.0.0.1" },
  speed: { type: "string" },
  accounts: { type: "string" },
  data: { type: "string" },
  latency: { type: "string", default: "0" },
  rate: { type: "string" },
  origin: { type: "string" },
  machines: { type: "boolean" },
  dns: { type: "string" },
  "zone-delay": { type: "string", default: "0" },
  version: { type: "boolean" },
  help: { type: "boolean" },
} as const;

/** The text of `--help`. */
export const HELP = `Usage: nodecloud-emulator [options]

Run the node cloud API on this machine, to try and to test programs without an account. It
prints a line with its address when it is ready. SIGINT and SIGTERM stop it.

Options:
  --port N           Listen on this port, 0 for a free one (default: ${OPTIONS.port.default})
  --host ADDRESS     Listen on this address                (default: ${OPTIONS.host.default})
  --speed N          Run the clock so many times faster
                     than real time; 0 stops it            (default: ${DEFAULT_SPEED},
                     or the speed in --data)
  --accounts FILE    Read users, grants and tokens as JSON (default: one unrestricted
                     user with the token "emulator-token")
  --data FILE        Store all objects, ids and the clock
                     in FILE, safe against kill -9         (default: in memory only)
  --latency MS       Delay every request                   (default: ${OPTIONS.latency.default})
  --rate N[/SECONDS] Accept so many requests in so many
                     seconds (1 if left out); more get
                     429 with Retry-After                  (default: no limit)
  --origin URL       Give clients URLs of this origin, if
                     the emulator is behind a proxy        (default: the address of
                     the connection)
  --machines         Let nodes and databases listen in
                     127.0.0.0/8 while they run            (default: nothing listens)
  --dns PORT         Answer DNS questions by UDP and TCP
                     on this port of 127.0.0.1, 0 for a
                     free one, on the second line          (default: no DNS)
  --zone-delay N     Show a change of a domain or a record
                     in its zone after N emulated seconds  (default: ${OPTIONS["zone-delay"].default})
  --version          Print the version
  --help             Print this text

Environment variables for a program that uses it:
  NODECLOUD_BASE_URL=http://127.0.0.1:8080/v4    the printed address
  NODECLOUD_TOKEN=emulator-token                 or a token of --accounts

The control API for tests is under http://127.0.0.1:8080/_emulator. It needs no token, and only
clients on the same machine can use it:
  /requests          the requests to the API (GET)
  /reset             reset everything, or a part (POST)
  /clock             read the emulated time, advance it, set its speed (GET, POST)
  /objects           /KIND, /KIND/ID: read, change, remove objects (GET, PATCH, DELETE)
  /faults            plan, list and delete failures (POST, GET, DELETE)
  /machines          what listens where, and rules for it, with --machines (GET, PUT)
  /zones             the delay of the rendered zones (GET, POST)
  /openapi.json      an OpenAPI document of every operation (GET)
  /catalogue         the plans with known specs (GET)

Exit codes:
  0  a signal stopped it, or it printed the help or the version
  1  the port is in use, or the accounts or the data cannot be used
  2  the command line is invalid

For details see docs/emulator.md in the package pulumi-nodecloud.
`;
