/** Fails unless a tag and all files that name the version name the same one: `node scripts/check-release.mjs v1.2.3`. */
import { complaintsAbout } from "./release/versions.mjs";

const [tag = ""] = process.argv.slice(2);
const complaints = complaintsAbout(tag.replace(/^v/, ""));
for (const complaint of complaints) console.log(`The tag is ${tag}, but ${complaint}.`);
if (complaints.length > 0) process.exitCode = 1;
