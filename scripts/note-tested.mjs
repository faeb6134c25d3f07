/** Notes that the tests have passed with the package as it is: `.ci/run` calls it at its end, and a release compares. */
import { noteTested } from "./release/tested.mjs";

await noteTested();
