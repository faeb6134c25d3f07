import { systemClock } from "./clock";
import { Rows } from "./rows";
import * as sdk from "./sdk";

const show = (text: string) => sdk.info(text, undefined, undefined, true);

/** What a program itself waits for shows in the stack's row: data functions have none of their own. */
export const rows = new Rows({ progress: (_, text) => void show(text), clear: () => show("") }, systemClock);
