// A song from one sentence: its price, its progress, its files.
import { createClient } from "genway/client";

const { GENWAY_URL: baseUrl = "http://127.0.0.1:8787", GENWAY_KEY: key = null } = process.env;
const genway = createClient({ baseUrl, key });

const wish = { gpt_description_prompt: "a calm song about the sea" };
const quote = await genway.unwrap(genway.POST("/v1/quote", { body: { path: "/musicA/submit/music", body: wish } }));
console.log(`It will cost ${quote.amount_usd} USD.`);

const task = await genway.generate.music({ prompt: wish.gpt_description_prompt });
const { assets, cost_usd: cost } = await task.wait({
  onProgress: ({ status, progress }) => console.log(`${status} ${progress} %`),
  timeoutMs: 10 * 60_000,
});

const songs = assets.filter(({ mime }) => mime.startsWith("audio/"));
for (const [index, song] of songs.entries()) {
  const file = `song-${index + 1}.mp3`;
  console.log(`${file}: ${await genway.download(song, file)} bytes`);
}
console.log(`Done for ${cost} USD.`);
