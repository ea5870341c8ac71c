import assert from "node:assert/strict";
import { test } from "node:test";
import { snippet } from "./snippets.ts";

const base = "http://127.0.0.1:8787";
const song = { path: "/musicA/submit/music", sends: "json", body: { mv: "m", gpt_description_prompt: "it's the sea" } } as const;

test("curl keeps quotes in the text and takes the key from the environment", () => {
  const code = snippet("curl", song, base);
  assert.match(code, /Bearer \$GENWAY_KEY/);
  assert.ok(code.includes(String.raw`it'\''s the sea`));
});

test("TypeScript says a song in the words of the client", () => {
  const code = snippet("typescript", song, base);
  assert.match(code, /genway\.generate\.music\(\{\n {2}prompt: "it's the sea",\n {2}model: "m"\n\}\)/);
});

test("Python uses OpenAI's client where the dialect is theirs, and leaves out what only the console sends", () => {
  const picture = { path: "/v1/images/generations", sends: "json", body: { prompt: "a boat", n: 2, async: true } } as const;
  const code = snippet("python", picture, base);
  assert.match(code, /client\.images\.generate\(\n {4}prompt="a boat",\n {4}n=2,\n\)/);
  assert.doesNotMatch(code, /async/);
});

test("files go by their names", () => {
  const edit = { path: "/v1/images/edits", sends: "multipart", body: { image: new File(["x"], "boat.png"), prompt: "night" } } as const;
  assert.match(snippet("curl", edit, base), /-F 'image=@boat\.png'/);
  assert.match(snippet("python", edit, base), /image=open\("boat\.png", "rb"\)/);
  assert.match(snippet("typescript", edit, base), /openAsBlob\("boat\.png"\)/);
});
