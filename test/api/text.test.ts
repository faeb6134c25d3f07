import { bounded, printable, printableLine } from "../../src/api/text";

test.each([
  ["a link (OSC 8)", "a\u001b]8;;http://evil\u0007b", "a\\u001b]8;;http://evil\\u0007b"],
  ["colours and cursor (CSI)", "a\u001b[2J\u001b[31mb", "a\\u001b[2J\\u001b[31mb"],
  ["controls of the second range (C1)", "a\u009b31mb\u0085c", "a\\u009b31mb\\u0085c"],
  ["a bell and a backspace", "a\u0007\bb", "a\\u0007\\u0008b"],
  ["a carriage return", "good\rbad", "good\\u000dbad"],
  ["marks of direction", "a\u202eb\u2066c\u200fd", "a\\u202eb\\u2066c\\u200fd"],
  [
    "characters of no width",
    "a\u200bb\u200dc\ufeffd\u00ade\u034ff",
    "a\\u200bb\\u200dc\\ufeffd\\u00ade\\u034ff",
  ],
  ["separators of lines", "a\u2028b\u2029c", "a\\u2028b\\u2029c"],
  ["tags", "a\u{e0041}b", "a\\u{e0041}b"],
  ["marks of annotations", "a\ufff9b\ufffac", "a\\ufff9b\\ufffac"],
  ["half a character", "a\ud800b", "a\\ud800b"],
  ["a colour of the engine's", "a<{%fg 1%}>b<{%nonsense%}>", "a<\\u007b%fg 1%}>b<\\u007b%nonsense%}>"],
])("printable text shows %s as an escape", (_, text, shown) => {
  expect(printable(text)).toBe(shown);
});

test("printable text keeps everything else", () => {
  const text = "Zürich 東京 العربية 😀 a\tb\nc <b> {%x%}";
  expect(printable(text)).toBe(text);
});

test("a printable line has no line breaks", () => {
  expect(printableLine(" a\r\n b\n\nc\u2028d\re\tf ")).toBe("a b c d e f");
});

test("a long text is truncated at a whole character, and gives the number of omitted characters", () => {
  expect(bounded("abc", 3)).toBe("abc");
  expect(bounded("abcde", 3)).toBe("abc… (2 more characters)");
  expect(bounded("abcd", 3)).toBe("abc… (1 more character)");
  expect(bounded("ab😀cd", 3)).toBe("ab… (4 more characters)");
});
