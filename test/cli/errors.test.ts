import { lineOf } from "../../src/cli/errors";
import { leaving, ProviderError } from "../../src/provider/base/errors";

test("an error of a hook is the line that the engine shows, without the mark of what is reported", () => {
  const error = new ProviderError("update Domain 36: it no longer exists", { code: "GONE" });
  expect(lineOf(leaving(error))).toMatch(/^update Domain 36: it no longer exists \[NC\d{4}\]$/);
});
