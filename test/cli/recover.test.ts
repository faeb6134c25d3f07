import { nodecloud } from "../helpers/command-line";

test("recover changes nothing without --yes if nobody can be asked", async () => {
  expect(await nodecloud(["recover"])).toEqual({
    code: 1,
    stdout: "",
    stderr:
      "error: this changes the stack, and nobody can be asked without a terminal: set --yes, or --dry-run to see what it would do [NC2002]\n",
  });
});

test("recover refuses an age that is no duration", async () => {
  const { code, stderr } = await nodecloud(["recover", "--yes", "--lock-older-than", "two hours"]);
  expect(code).toBe(1);
  expect(stderr).toContain('--lock-older-than: "two hours" is no duration such as 90m or 2h');
});
