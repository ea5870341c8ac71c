import assert from "node:assert/strict";
import test from "node:test";
import { cleanText, explainFailure } from "./complaint.ts";
import { wantsColours } from "./shell.ts";
import { testShell } from "./shell.fixture.ts";
import { alignColumns, printTable, widthOf } from "./table.ts";
import { formatBytes, formatSpan, formatUsd, statusWord } from "./wording.ts";

test("money shows two decimals, more where it takes them, and never a power of ten", () => {
  const shown = [0, 12, 0.05, 0.005, 99.895, -2.5, 0.000_000_02, 1_000_000].map(formatUsd);
  assert.deepEqual(shown, ["$0.00", "$12.00", "$0.05", "$0.005", "$99.895", "-$2.50", "$0.00000002", "$1000000.00"]);
});

test("spans and sizes are as short as a person would write them", () => {
  assert.deepEqual([0, 7_900, 750_000, 3_723_000].map(formatSpan), ["0:00", "0:07", "12:30", "1:02:03"]);
  assert.deepEqual([0, 1023, 1536, 150 * 1024, 5 * 2 ** 40].map(formatBytes), ["0 B", "1023 B", "1.5 KiB", "150 KiB", "5.0 TiB"]);
});

test("a state of a later version is shown as it is", () => {
  assert.deepEqual(["IN_PROGRESS", "PAUSED"].map(statusWord), ["running", "paused"]);
});

test("columns are aligned, numbers at their ends, and no line ends in spaces", () => {
  const shell = testShell();
  printTable(
    shell,
    ["NAME", "COST", "NOTE"],
    [
      ["a", "$1.00", ""],
      ["longer", "$10.00", "x"],
    ],
    { right: ["COST"] },
  );
  assert.deepEqual(shell.printed, ["NAME      COST  NOTE", "a        $1.00", "longer  $10.00  x"]);
});

test("wide characters count for two places, combining ones for none", () => {
  assert.deepEqual(["abc", "日本", "e\u0301", "🎵"].map(widthOf), [3, 4, 1, 2]);
  assert.deepEqual(
    alignColumns([
      ["日本", "x"],
      ["abcd", "y"],
    ]),
    ["日本  x", "abcd  y"],
  );
});

test("text from elsewhere cannot steer the terminal", () => {
  assert.equal(cleanText("\u001b[31mred\u001b[0m\r\nline\u0007\u202e"), "red line");
});

test("colours are for terminals that want them", () => {
  assert.equal(wantsColours({}, true), true);
  assert.equal(wantsColours({}, false), false);
  assert.equal(wantsColours({ NO_COLOR: "1" }, true), false);
  assert.equal(wantsColours({ TERM: "dumb" }, true), false);
});

test("a taken port is explained, a refusal of the system is one line, and a bug shows its place", () => {
  const taken = Object.assign(new Error("listen EADDRINUSE"), { code: "EADDRINUSE", syscall: "listen", port: 8787 });
  assert.match(explainFailure(taken).says, /^Port 8787 is taken by another program/);
  const denied = Object.assign(new Error("EACCES: permission denied, open 'x'"), { code: "EACCES", syscall: "open" });
  assert.deepEqual(explainFailure(denied), { says: "EACCES: permission denied, open 'x'", exitCode: 1 });
  assert.match(explainFailure(new TypeError("bad")).says, /TypeError: bad\n +at /);
});
