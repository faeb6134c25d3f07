import { type Client, type RequestOptions } from "../../api/client";

/** The account, as rules read it. What cannot be read fails the validation. */
export interface AccountView {
  /** Every item of a list, which is read once in each process. `what` names the list. */
  all<Item>(
    what: string,
    list: (client: Client, options: RequestOptions) => AsyncIterable<Item>,
  ): Promise<readonly Item[]>;
  /** One object as it is now. Null if it does not exist. */
  one<Item>(
    what: string,
    get: (client: Client, options: RequestOptions) => Promise<Item>,
  ): Promise<Item | null>;
  /** Whether an object does not exist. */
  isMissing(
    what: string,
    get: (client: Client, options: RequestOptions) => Promise<unknown>,
  ): Promise<boolean>;
}
