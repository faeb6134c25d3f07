import * as fc from "fast-check";
import { formatDuration, parseDuration } from "../../../src/provider/base/duration";

// The same values in every run, so that a failure can be repeated.
fc.configureGlobal({ seed: 20_261_121 });

test.each<[string, number]>([
  ["90s", 90_000],
  ["30m", 1_800_000],
  ["1h30m", 5_400_000],
  ["1h2m3s4ms", 3_723_004],
  ["1.5h", 5_400_000],
  ["250ms", 250],
  ["0s", 0],
])("%s is %d ms", (text, ms) => {
  expect(parseDuration(text)).toBe(ms);
});

test.each(["", "90", "soon", "1 h", "1h 30m", "h", "-5m", "5m!", "5d", "m5", "1hm"])(
  "%j is not a duration",
  (text) => {
    expect(parseDuration(text)).toBeUndefined();
  },
);

test.each<[number, string]>([
  [0, "0 s"],
  [400, "0 s"],
  [45_000, "45 s"],
  [119_000, "119 s"],
  [119_600, "2 min"],
  [12 * 60_000, "12 min"],
  [119 * 60_000, "119 min"],
  [120 * 60_000, "2 h"],
  [125 * 60_000, "2 h 5 min"],
  [24 * 3_600_000, "24 h"],
])("%d ms are shown as %s", (ms, text) => {
  expect(formatDuration(ms)).toBe(text);
});

test("any hours, minutes and seconds add up", () => {
  fc.assert(
    fc.property(fc.nat(99), fc.nat(99), fc.nat(99), (h, m, s) => {
      expect(parseDuration(`${h}h${m}m${s}s`)).toBe(((h * 60 + m) * 60 + s) * 1_000);
    }),
  );
});
