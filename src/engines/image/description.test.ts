import assert from "node:assert/strict";
import { after, test } from "node:test";
import { colourName } from "./colour-name.ts";
import { shapeText } from "./description.ts";
import { openAtelier } from "./picture.fixture.ts";

const atelier = await openAtelier();
after(() => atelier.close());

async function describe(path: string): Promise<string[]> {
  const { texts = [], images } = await atelier.draw({ sourcePaths: [path], way: { kind: "describe" } });
  assert.equal(images.length, 0);
  return texts;
}

test("four different texts tell of the colours, with the shape at their end", async () => {
  const path = await atelier.save("fields.png", 160, 90, (brush) => {
    brush.fillStyle = "#4a90e0";
    brush.fillRect(0, 0, 160, 50);
    brush.fillStyle = "#2f8f3a";
    brush.fillRect(0, 50, 160, 40);
  });
  const texts = await describe(path);
  assert.equal(new Set(texts).size, 4);
  for (const text of texts) assert.match(text, / --ar 16:9$/);
  assert.match(texts[0] ?? "", /^Horizon in the middle, blue above and green below/);
  assert.match(texts[1] ?? "", /^Composition in blue and green/);
  assert.match(texts[2] ?? "", /^Blue sky above green ground/);
});

test("what stands in front is told with its form, its colour and its place", async () => {
  const round = await atelier.save("round.png", 120, 120, (brush) => {
    brush.fillStyle = "#f4f4f4";
    brush.fillRect(0, 0, 120, 120);
    brush.fillStyle = "#d02020";
    brush.arc(60, 60, 30, 0, Math.PI * 2);
    brush.fill();
  });
  assert.match(
    (await describe(round))[0] ?? "",
    /^A large round red shape in the middle in front of a white background, bright warm light/,
  );
  const tall = await atelier.save("tall.png", 120, 120, (brush) => {
    brush.fillStyle = "#101018";
    brush.fillRect(0, 0, 120, 120);
    brush.fillStyle = "#f0d040";
    brush.fillRect(88, 30, 12, 60);
  });
  assert.match((await describe(tall))[0] ?? "", /tall golden yellow shape at the right in front of a black background, dark, low light/);
});

test("a dark picture and a light one are not told alike", async () => {
  const night = await atelier.drawOne({ prompt: "a city at night", width: 200, height: 200 });
  const snow = await atelier.drawOne({ prompt: "snow on the hills at noon", width: 200, height: 200 });
  const [dark, light] = [await describe(night.path), await describe(snow.path)];
  assert.match(dark.join(), /low light|dim/);
  assert.match(light.join(), /daylight|bright/);
  assert.notEqual(dark[1], light[1]);
});

test("colours and shapes have their everyday names", () => {
  const names = [
    [255, 0, 0],
    [120, 70, 30],
    [20, 20, 22],
    [128, 128, 130],
    [250, 250, 250],
    [30, 40, 90],
    [200, 225, 250],
  ].map(([r = 0, g = 0, b = 0]) => colourName(r, g, b));
  assert.deepEqual(names, ["red", "brown", "black", "grey", "white", "dark blue", "pale blue"]);
  const shapes = [shapeText(1024, 1024), shapeText(1456, 816), shapeText(1248, 832), shapeText(832, 1248), shapeText(9000, 10)];
  assert.deepEqual(shapes, ["1:1", "16:9", "3:2", "2:3", "8:1"]);
});
