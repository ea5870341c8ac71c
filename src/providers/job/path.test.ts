import assert from "node:assert/strict";
import { test } from "node:test";
import { fillAddress, fillTexts } from "./address.ts";
import { holds, readFirst, readNumber, readPath, readText } from "./path.ts";

test("a path leads through objects and lists, and to nothing where there is nothing", () => {
  const value = { data: [{ url: "a" }, { url: "b" }], n: null };
  assert.equal(readPath(value, "data[1].url"), "b");
  assert.equal(readPath(value, ""), value);
  for (const path of ["data[2].url", "n.x", "data.url.length", "constructor", "__proto__"])
    assert.equal(readPath(value, path), undefined, path);
  for (const odd of [null, undefined, 7, "text"]) assert.equal(readPath(odd, "length"), undefined);
});

test("of several paths the first that leads to something counts", () => {
  assert.equal(readFirst({ a: "", b: null, c: 0 }, ["a", "b", "c"]), 0);
  assert.equal(readFirst({}, ["a"]), undefined);
});

test("texts and numbers are read loosely, anything else is nothing", () => {
  assert.equal(readText({ id: 12 }, "id"), "12");
  assert.equal(readText({ id: { x: 1 } }, "id"), undefined);
  assert.equal(readNumber({ p: "45%" }, "p"), 45);
  assert.equal(readNumber({ p: "many" }, "p"), undefined);
  assert.equal(readNumber({ p: [1] }, "p"), undefined);
});

test("conditions ask for a value, one of several, or presence", () => {
  const value = { code: "ok", image: { url: "x" }, empty: "" };
  assert.ok(
    holds(value, [
      { at: "code", is: ["fine", "ok"] },
      { at: "image", exists: true },
      { at: "empty", exists: false },
    ]),
  );
  assert.ok(!holds(value, [{ at: "code", is: "OK" }]));
  assert.ok(!holds(undefined, [{ at: "code", is: "ok" }]));
});

test("a condition may ask how a text begins", () => {
  assert.ok(holds({ model: "veo-3.1-fast" }, [{ at: "model", begins: ["veo-2", "veo-3"] }]));
  assert.ok(!holds({ model: "my-veo-3" }, [{ at: "model", begins: "veo-3" }]));
  assert.ok(!holds({}, [{ at: "model", begins: "veo-3" }]));
});

test("the places of an address are filled without leading elsewhere", () => {
  assert.equal(fillAddress("/tasks/{id}", { id: "a/b?c" }), "/tasks/a%2Fb%3Fc");
  assert.equal(fillAddress("/{+name}:run", { name: "models/x y" }), "/models/x%20y:run");
  assert.equal(fillAddress("{keep.url}", { keep: { url: "https://a.example/b?c=d" } }), "https://a.example/b?c=d");
  assert.equal(fillAddress("/tasks/{id}", { id: "\ud800" }), "/tasks/%EF%BF%BD");
  for (const id of ["..", ".", "", undefined, {}]) assert.equal(fillAddress("/tasks/{id}", { id }), null);
  assert.equal(fillAddress("/{+name}", { name: "a/../../b" }), null);
});

test("a path leads to all of a list, through lists within it, and into a text of JSON", () => {
  const value = { sets: [{ urls: ["a", "b"] }, { urls: "c" }, {}, null, 7], text: '{"list":[{"n":1}]}', odd: "{" };
  assert.deepEqual(readPath(value, "sets[*].urls"), ["a", "b", "c"]);
  assert.equal(readPath(value, "text.@json.list[0].n"), 1);
  assert.deepEqual(readPath([{ id: 1 }, { id: 2 }], "[*].id"), [1, 2]);
  for (const path of ["sets[*].none", "text[*]", "odd.@json.list", "none.@json"]) assert.equal(readPath(value, path), undefined, path);
});

test("names in a path may be filled, whatever is in them", () => {
  assert.equal(readPath({ jobs: { "a.b[0]": 1 } }, "jobs.{id}", { id: "a.b[0]" }), 1);
  assert.equal(readPath({ jobs: { x: 1 } }, "jobs.{id}", {}), undefined);
});

test("of a list it is enough that one is as wanted, and an empty list is nothing", () => {
  assert.ok(holds({ parts: [{ s: "a" }, { s: "b" }] }, [{ at: "parts[*].s", is: ["b", "c"] }]));
  assert.ok(holds({ parts: [] }, [{ at: "parts", exists: false }]));
  assert.ok(holds({}, [{ at: "@http", is: [200, 202] }], 202));
  assert.ok(!holds({ "@http": 202 }, [{ at: "@http", is: 202 }], 200));
});

test("a place that may be empty leaves an address whole, and texts are filled as they are", () => {
  assert.equal(fillAddress("/jobs{keep.suffix?}/{id}", { id: 1 }), "/jobs/1");
  assert.equal(fillAddress("/jobs/{options.name?}", { options: { name: ".." } }), null);
  assert.deepEqual(fillTexts({ a: "x {id}/", b: "{none?}" }, { id: "1/2" }), { a: "x 1/2/" });
  assert.equal(fillTexts({ a: "{none}" }, {}), null);
});
