import assert from "node:assert/strict";
import { test } from "node:test";
import { loadPackage } from "./optional-package.ts";

test("a package that is not installed is named, with the way to install it", async () => {
  const absent: string = "package-that-nobody-installed";
  await assert.rejects(
    loadPackage(absent, () => import(absent)),
    { reason: "missing", message: `The package '${absent}' is not installed: install it with npm install ${absent}.` },
  );
});

test("a package that is there but broken says so", async () => {
  await assert.rejects(
    loadPackage("broken", () => Promise.reject(new Error("wrong ELF class"))),
    { reason: "missing", message: /could not be loaded/ },
  );
});
