import assert from "node:assert/strict";
import { test } from "node:test";
import { readRetryAfter } from "./retry-after.ts";

const now = Date.parse("2026-01-01T00:00:00Z");

const spellings: readonly [string, Record<string, string>, unknown, number | undefined][] = [
  ["seconds in a header", { "retry-after": "7" }, null, 7_000],
  ["a date in a header", { "retry-after": "Thu, 01 Jan 2026 00:01:00 GMT" }, null, 60_000],
  ["a date that has passed", { "retry-after": "Wed, 31 Dec 2025 23:59:00 GMT" }, null, 0],
  ["milliseconds in a header", { "retry-after-ms": "1500", "retry-after": "2" }, null, 1_500],
  ["a delay among error details", {}, { error: { details: [{ reason: "x" }, { retryDelay: "34.5s" }] } }, 34_500],
  ["a number in the body", {}, { retry_after: 3 }, 3_000],
  ["words", {}, { detail: "Request was throttled. Your rate limit resets in ~30s." }, 30_000],
  ["more than a day", { "retry-after": "9999999" }, null, 86_400_000],
  ["nothing", {}, { detail: ["x"], error: { details: "later" } }, undefined],
  ["nonsense", { "retry-after": "soon", "retry-after-ms": "-1" }, { retry_after: {} }, undefined],
];

for (const [name, headers, body, expected] of spellings) {
  test(`the wait is read from ${name}`, () => assert.equal(readRetryAfter(headers, body, now), expected));
}
