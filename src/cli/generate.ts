import { readFile } from "node:fs/promises";
import { resolve } from "node:path";
import { errorCode } from "../kit/error-code.ts";
import type { Client } from "./client.ts";
import { keyedClient } from "./command-line-key.ts";
import { command, gatewayOptions, type Options } from "./command.ts";
import { CommandError, UsageError } from "./complaint.ts";
import { generate, uploadImage } from "./generation.ts";
import { lyricsRequest, musicRequest, videoRequest } from "./generation-request.ts";
import { ModelRecord, Page } from "./records.ts";
import type { Shell } from "./shell.ts";

const outputOption = {
  type: "string",
  short: "o",
  value: "FILE",
  says: "where the result goes; a name made from its title unless given",
} as const;

const whoseOptions = {
  account: { type: "string", value: "NAME", says: "the account that pays; the one of GENWAY_KEY, else local, unless given" },
  ...gatewayOptions,
} as const satisfies Options;

const keyLines = [
  "The key is GENWAY_KEY. Without it, beside a service on this machine's data folder, the command makes a key",
  "of its own and keeps it there. Ctrl-C cancels the task and says what it cost.",
];

const generateVideo = command({
  name: "generate video",
  takes: ["[PROMPT]"],
  says: "Make a video and download it.",
  more: keyLines,
  example: 'genway generate video "a lighthouse in a storm" -o lighthouse.mp4 --duration 5',
  options: {
    output: outputOption,
    duration: { type: "string", value: "SECONDS", says: "its length; 5 unless given" },
    aspect: { type: "string", value: "W:H", says: "width to height; 16:9 unless given" },
    image: { type: "string", value: "URL|FILE", says: "a picture to begin with; a file is uploaded" },
    model: { type: "string", value: "NAME", says: "the model; the first one for video unless given" },
    ...whoseOptions,
  },
  async run({ values, words: [prompt] }, shell) {
    const { image, duration, aspect } = values;
    if (!prompt?.trim() && !image) throw new UsageError("genway generate video needs a PROMPT or --image.", "generate video");
    // Checked before a picture is uploaded for nothing.
    videoRequest({ prompt, model: "", duration, aspect });
    return generate(shell, {
      label: "video",
      title: prompt?.trim() || "video",
      output: fileOutput(values.output, "generate video"),
      connect: () => keyedClient(shell, values),
      async prepare(client, signal) {
        const model = values.model ?? (await usualVideoModel(client));
        const source = image === undefined ? undefined : await uploadImage(shell, client, image, signal);
        return videoRequest({ prompt, model, duration, aspect, image: source });
      },
    });
  },
});

const generateMusic = command({
  name: "generate music",
  takes: ["[PROMPT]"],
  says: "Make two songs and download them: the second one's name ends in -2.",
  more: [
    "Alone, the PROMPT says what the song is about. With --lyrics-file it describes the style, as --tags do.",
    "--seed and models whose names begin with udio go to music B, all else to music A.",
    ...keyLines,
  ],
  example: 'genway generate music "a calm song about the sea" -o sea.mp3',
  options: {
    output: outputOption,
    "lyrics-file": { type: "string", value: "FILE", says: "the words to sing" },
    tags: { type: "string", value: "WORDS", says: 'style words, such as "folk, slow, piano"' },
    title: { type: "string", value: "TITLE", says: "the title, with --lyrics-file or --instrumental" },
    instrumental: { type: "boolean", says: "without words" },
    model: { type: "string", value: "NAME", says: "the model; the service's usual one unless given" },
    seed: { type: "string", value: "N", says: "asks for the same music again by the same seed (music B)" },
    ...whoseOptions,
  },
  async run({ values, words: [prompt] }, shell) {
    const { output, tags, title, instrumental, model, seed } = values;
    const lyrics = values["lyrics-file"] === undefined ? undefined : await readLyrics(shell, values["lyrics-file"]);
    const request = musicRequest({ prompt: prompt?.trim(), model, tags, title, lyrics, instrumental, seed });
    const made = { label: "music", title: title ?? prompt?.trim() ?? "music", output: fileOutput(output, "generate music") };
    return generate(shell, { ...made, connect: () => keyedClient(shell, values), prepare: async () => request });
  },
});

const generateLyrics = command({
  name: "generate lyrics",
  takes: ["PROMPT"],
  says: "Write the words of a song into a file; -o - prints them.",
  more: keyLines,
  example: 'genway generate lyrics "the first snow in the city" -o snow.txt',
  options: { output: outputOption, ...whoseOptions },
  async run({ values, words: [prompt] }, shell) {
    const request = lyricsRequest(prompt.trim());
    const made = { label: "lyrics", title: prompt.trim(), output: values.output };
    return generate(shell, { ...made, connect: () => keyedClient(shell, values), prepare: async () => request });
  },
});

function fileOutput(output: string | undefined, name: string): string | undefined {
  if (output === "-") throw new UsageError(`genway ${name} writes files: name one with -o.`, name);
  return output;
}

/** The first model for video that has a plain name; where any name will do, one that says who serves it. */
async function usualVideoModel(client: Client): Promise<string> {
  const { data } = await client.ask(Page(ModelRecord), "GET", "/v1/models");
  const names = data.filter(({ kinds }) => kinds.includes("video")).map(({ id }) => id);
  const plain = names.find((name) => !name.includes("*"));
  if (plain !== undefined) return plain;
  if (names.includes("*")) return "local";
  const offer =
    names.length === 0 ? "no model for video is configured" : `name one with --model; configured for video: ${names.join(", ")}`;
  throw new CommandError(`Nothing was started: ${offer}.`);
}

async function readLyrics(shell: Shell, file: string): Promise<string> {
  const path = resolve(shell.cwd, file);
  const text = await readFile(path, "utf8").catch((error: unknown) => {
    if (errorCode(error) === "ENOENT") throw new UsageError(`There is no file ${path}.`, "generate music");
    throw error;
  });
  if (text.trim() === "") throw new UsageError(`${path} is empty.`, "generate music");
  return text.trim();
}

export const generateCommands = [generateVideo, generateMusic, generateLyrics];
