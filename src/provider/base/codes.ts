import { type ErrorCode } from "../../api/errors";

/**
 * The numbers of the problems that a user can meet. Each has a page, `docs/errors/NC<number>.md`. A number keeps its meaning: that of a problem which no
 * longer exists is not given to another one.
 */
const NUMBERS = {
  // Requests: the codes of `pulumi-nodecloud/api`.
  UNAUTHORIZED: 1001,
  FORBIDDEN: 1002,
  NOT_FOUND: 1003,
  RATE_LIMITED: 1004,
  REQUEST_REJECTED: 1005,
  SERVICE_FAILED: 1006,
  CONNECTION_REFUSED: 1007,
  HOST_NOT_RESOLVED: 1008,
  CONNECTION_TIMED_OUT: 1009,
  CONNECTION_LOST: 1010,
  TLS_FAILED: 1011,
  UNEXPECTED_REPLY: 1012,
  REDIRECTED: 1013,
  ANSWER_TOO_LARGE: 1014,
  ANSWER_TOO_SLOW: 1015,
  LIST_TOO_LONG: 1016,
  INVALID_CONFIGURATION: 1017,
  READ_ONLY: 1018,
  UPLOAD_FAILED: 1019,

  // What a program declares and asks for.
  INVALID_INPUT: 1101,
  QUESTIONABLE_INPUT: 1102,
  NOT_IN_ACCOUNT: 1103,
  DECLARED_TWICE: 1104,
  FILE_UNUSABLE: 1105,
  NO_SUCH_OBJECT: 1106,
  OPTION_REFUSED: 1107,
  INVALID_ARGUMENT: 1108,
  NOTHING_FITS: 1109,
  SEVERAL_FIT: 1110,
  READ_TOO_EARLY: 1111,
  NOT_PREVIEWED: 1112,
  ADOPT_REFUSED: 1113,

  // Changes that lose data, interrupt a service, or are refused for that.
  LOSES_DATA: 1201,
  INTERRUPTS: 1202,
  DENIED: 1203,
  VALUE_STAYS: 1204,
  STAYS_IN_ACCOUNT: 1205,
  DELETED_WITH_PARENT: 1206,
  UPDATE_IMPOSSIBLE: 1207,

  // Whose an object or a name is.
  NAME_TAKEN: 1301,
  TWO_OWNERS: 1302,
  OTHER_STACK: 1303,
  OWNER_UNKNOWN: 1304,
  OTHER_ACCOUNT: 1305,
  EXISTS_ALREADY: 1306,
  IMPORT_DIFFERS: 1307,
  IMPORT_REFUSED: 1308,
  IMPORT_PENDING: 1309,
  IMPORT_INCOMPLETE: 1310,

  // Runs that were interrupted, and answers that were lost.
  OUTCOME_UNKNOWN: 1401,
  CREATED_TWICE: 1402,
  ACTION_UNKNOWN: 1403,
  INTERRUPTED: 1404,
  PARTLY_DONE: 1405,
  CANCELLED: 1406,
  NOTES_UNWRITABLE: 1407,

  // Waits.
  WAIT_TIMED_OUT: 1501,
  NEVER_READY: 1502,
  FAILED_STATUS: 1503,
  GONE: 1504,
  TURN_NOT_BEGUN: 1505,
  DELETE_UNFINISHED: 1506,

  // Settings, token and account.
  SETTING_MISSING: 1601,
  SETTING_INVALID: 1602,
  TOKEN_IN_CLEAR: 1603,
  TLS_UNCHECKED: 1604,
  READ_ELSEWHERE: 1605,
  LOG_UNWRITABLE: 1606,

  // The engine, its state and the plugin.
  STATE_UNREADABLE: 1701,
  STATE_WRITES: 1702,
  PLUGIN_MISMATCH: 1703,
  UNEXPECTED: 1799,

  // The command `nodecloud`.
  COMMAND_FAILED: 2001,
  USAGE: 2002,
  FILE_UNREADABLE: 2003,
  FILE_UNWRITABLE: 2004,
  PROJECT_UNUSABLE: 2005,
  STACKS_UNREADABLE: 2006,
  PULUMI_FAILED: 2007,
  PREVIEW_UNREADABLE: 2008,
  RULES_INVALID: 2009,
  PARTS_UNFIT: 2010,
  FOREIGN_STATE: 2011,
  PROGRAM_UNUSABLE: 2012,
  INCOMPLETE: 2013,
} as const satisfies Record<ErrorCode, number> & Record<string, number>;

/** A problem that a user can meet. */
export type Code = keyof typeof NUMBERS;

export const CODES = Object.keys(NUMBERS) as readonly Code[];

/** The code as messages show it: `NC1042`. */
export const shortCode = (code: Code): string => `NC${NUMBERS[code]}`;

/** The code of an error, or of the innermost error in it that has one. An outer code says more: whoever gave it knew the inner one. */
export function codeOf(error: unknown, otherwise: Code = "UNEXPECTED"): Code {
  if (typeof error !== "object" || error === null) return otherwise;
  const { code, cause } = error as { readonly code?: unknown; readonly cause?: unknown };
  return isCode(code) ? code : codeOf(cause, otherwise);
}

const isCode = (code: unknown): code is Code => typeof code === "string" && Object.hasOwn(NUMBERS, code);

const AT_END = / \[(NC\d{4})\]$/;

/** A message with a short code at its end, as `splitCode` takes it apart. */
export const joinCode = (message: string, code: string | undefined): string =>
  code === undefined ? message : `${message} [${code}]`;

/** A message with its code at the end. One that another process has written has it already. */
export const withCode = (message: string, code: Code): string =>
  AT_END.test(message) ? message : joinCode(message, shortCode(code));

/** A message without the code at its end, and the code. */
export function splitCode(message: string): { readonly message: string; readonly code?: string } {
  const [end, code] = AT_END.exec(message) ?? [];
  return end === undefined || code === undefined
    ? { message }
    : { message: message.slice(0, -end.length), code };
}
