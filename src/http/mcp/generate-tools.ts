import { Type, type Static, type TSchema } from "typebox";
import type { Client } from "../../client/client.ts";
import { creates, type Create } from "../../client/generation.ts";
import { waitContent } from "./task-content.ts";
import { tool, type Tool } from "./tool.ts";

/** A tool that starts a task; `prepare` alone is what a quote needs. */
export type MakingTool = Tool & { prepare(given: unknown, client: Client): Promise<Create> };

type Described<S extends TSchema> = Pick<Tool, "name" | "title" | "says"> & {
  input: S;
  prepare(given: Static<S>, client: Client): Promise<Create>;
};

function making<S extends TSchema>({ prepare: read, says, ...named }: Described<S>): MakingTool {
  async function prepare(given: Static<S>, client: Client): Promise<Create> {
    const { path, body } = await read(given, client);
    // How long to wait is between the agent and us.
    return { path, body: Object.fromEntries(Object.entries(body).filter(([name]) => name !== "wait_seconds")) };
  }
  const started = tool({
    ...named,
    says: `${says} It costs money; ask quote for the price. Answers with the result, or with a task_id for wait_for_task when it takes longer.`,
    isReadOnly: false,
    async run(given, bench) {
      const { path, body } = await prepare(given, bench.client);
      const { id } = await bench.client.create(path, body, { signal: bench.signal });
      return waitContent(id, waitSeconds(given), bench);
    },
  });
  return { ...started, prepare };
}

const text = (description: string) => Type.Optional(Type.String({ description }));
const shared = {
  model: text("a model of list_models; the usual one unless given"),
  wait_seconds: Type.Optional(
    Type.Integer({
      minimum: 0,
      maximum: 600,
      description: "how long to wait for the result; 45 unless given, 0 to get the task_id at once",
    }),
  ),
};

function waitSeconds(given: unknown): number {
  const seconds: unknown = Reflect.get(Object(given), "wait_seconds");
  return typeof seconds === "number" ? seconds : 45;
}

const generateVideo = making({
  name: "generate_video",
  title: "Make a video",
  says: "Makes a video from a description, or from a picture to begin with.",
  input: Type.Object({
    prompt: text("what the video shows; needed unless there is an image"),
    image: text("a picture to begin with: an https address, a data: URI or the id of an uploaded file"),
    duration: Type.Optional(Type.Integer({ minimum: 1, maximum: 60, description: "seconds; 5 unless given" })),
    aspect_ratio: text("width:height, such as 16:9 or 9:16"),
    ...shared,
  }),
  async prepare(wish, client) {
    return creates.video({ ...wish, model: wish.model ?? (await client.usualModel("video")) });
  },
});

const generateMusic = making({
  name: "generate_music",
  title: "Make music",
  says: "Makes two songs, with words or without.",
  input: Type.Object({
    prompt: text("what the song is about; with lyrics, its style"),
    lyrics: text("the words to sing; made up unless given"),
    tags: text("style words, separated by commas"),
    title: text("the title, where there are lyrics or it is instrumental"),
    instrumental: Type.Optional(Type.Boolean({ description: "without words" })),
    continue_clip_id: text("the id of a song of a finished task, to go on from"),
    ...shared,
  }),
  async prepare(wish, client) {
    return creates.music({ ...wish, model: wish.model ?? (await client.usualModel("music", "chirp-v3-0")) });
  },
});

const generateLyrics = making({
  name: "generate_lyrics",
  title: "Write lyrics",
  says: "Writes the words of a song.",
  input: Type.Object({
    prompt: Type.String({ minLength: 1, description: "what the lyrics are about" }),
    wait_seconds: shared.wait_seconds,
  }),
  prepare: async ({ prompt }) => creates.lyrics({ prompt }),
});

const generateImage = making({
  name: "generate_image",
  title: "Make pictures",
  says: "Makes pictures from a description.",
  input: Type.Object({
    prompt: Type.String({ minLength: 1, description: "what the picture shows" }),
    n: Type.Optional(Type.Integer({ minimum: 1, maximum: 10, description: "how many; 1 unless given" })),
    size: text("widthxheight, such as 1024x1024"),
    ...shared,
  }),
  async prepare(wish, client) {
    return creates.image({ ...wish, model: wish.model ?? (await client.usualModel("image", "dall-e")) });
  },
});

const speak = making({
  name: "speak",
  title: "Say a text",
  says: "Says a text aloud and keeps the recording.",
  input: Type.Object({
    input: Type.String({ minLength: 1, maxLength: 4096, description: "what to say" }),
    voice: text("the name of a voice"),
    ...shared,
  }),
  async prepare(wish, client) {
    return creates.speech({ ...wish, model: wish.model ?? (await client.usualModel("speech", "tts-1")) });
  },
});

export const generateTools: readonly MakingTool[] = [generateVideo, generateMusic, generateLyrics, generateImage, speak];
