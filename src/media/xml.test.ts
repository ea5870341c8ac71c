import assert from "node:assert/strict";
import { test } from "node:test";
import { escapeXml, partsOf, textOf } from "./xml.ts";

test("elements are found by name, with attributes or without, and their text is read", () => {
  const xml = `<?xml version="1.0"?>\n<Result xmlns="http://x"><Key>a &amp; b&lt;&#233;&#xE9;&quot;</Key><Keys>no</Keys><Key a="1">two\nlines</Key><Empty/></Result>`;
  assert.equal(textOf(xml, "Key"), 'a & b<éé"');
  assert.deepEqual(partsOf(xml, "Key"), ["a &amp; b&lt;&#233;&#xE9;&quot;", "two\nlines"]);
  assert.deepEqual([textOf(xml, "Empty"), textOf(xml, "Absent"), textOf("not xml", "Key")], ["", "", ""]);
});

test("what means nothing is left as it stands", () => {
  assert.equal(textOf("<A>&nbsp; &#9999999; &amp;amp;</A>", "A"), "&nbsp; &#9999999; &amp;");
});

test("a text can stand in an element", () => {
  assert.equal(textOf(`<A>${escapeXml('<"&">')}</A>`, "A"), '<"&">');
});
