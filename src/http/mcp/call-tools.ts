import { Type } from "typebox";
import { GenwayError } from "../../client/client.ts";
import { textContent } from "./task-content.ts";
import { tool, type Bench, type Tool } from "./tool.ts";

const model = Type.Optional(Type.String({ description: "a model of list_models; the usual one unless given" }));
const Message = Type.Object({
  role: Type.Union([Type.Literal("system"), Type.Literal("user"), Type.Literal("assistant")]),
  content: Type.String(),
});

const chat = tool({
  name: "chat",
  title: "Ask a language model",
  says: "Sends messages to a language model of the gateway and answers its reply. It costs money.",
  input: Type.Object({
    messages: Type.Array(Message, { minItems: 1, description: "the conversation so far" }),
    max_tokens: Type.Optional(Type.Integer({ minimum: 1, maximum: 100_000, description: "the longest reply; 1024 unless given" })),
    temperature: Type.Optional(Type.Number({ minimum: 0, maximum: 2 })),
    model,
  }),
  isReadOnly: false,
  async run({ model: named, max_tokens = 1024, ...rest }, { client, signal }) {
    const body = { ...rest, max_tokens, model: named ?? (await client.usualModel("chat")) };
    const reply: unknown = await client.unwrap(client.POST("/v1/chat/completions", { body, signal }));
    return textContent(replyText(reply));
  },
});

function replyText(reply: unknown): string {
  const choices: unknown = Reflect.get(Object(reply), "choices");
  const message: unknown = Array.isArray(choices) ? Reflect.get(Object(choices[0]), "message") : undefined;
  const content: unknown = Reflect.get(Object(message), "content");
  return typeof content === "string" ? content : JSON.stringify(reply);
}

const transcribe = tool({
  name: "transcribe",
  title: "Write down what is said",
  says: "Writes down what is said in a recording, or its translation into English. It costs money.",
  input: Type.Object({
    audio: Type.String({
      minLength: 1,
      description:
        "the recording: the id of an uploaded file (file_…), the address of an asset of this service, a data: URI, or, over stdio, the path of a file",
    }),
    language: Type.Optional(Type.String({ maxLength: 20, description: "the language that is spoken, such as en; found out unless given" })),
    translate: Type.Optional(Type.Boolean({ description: "into English" })),
    model,
  }),
  isReadOnly: false,
  async run({ audio, language, translate = false, model: named }, bench) {
    const { client, signal } = bench;
    const form = new FormData();
    form.set("model", named ?? (await client.usualModel("transcription", "whisper-1")));
    if (language !== undefined) form.set("language", language);
    form.set("file", await recording(audio, bench), "recording");
    const path = translate ? "/v1/audio/translations" : "/v1/audio/transcriptions";
    const reply: unknown = await client.unwrap(client.POST(path, { body: form, signal }));
    const text: unknown = Reflect.get(Object(reply), "text");
    return textContent(typeof text === "string" ? text : JSON.stringify(reply));
  },
});

/** Never an address elsewhere: nobody asked us to fetch for an agent what it names. */
async function recording(named: string, { client, signal, readFile }: Bench): Promise<Blob> {
  const [, mime = "", data = ""] = /^data:([\w./+-]*)[^,]*;base64,(.*)$/s.exec(named) ?? [];
  if (data !== "") return new Blob([Buffer.from(data, "base64")], { type: mime });
  if (named.startsWith("file_")) {
    const { url } = await client.unwrap(client.GET("/v1/files/{id}", { params: { path: { id: named } } }));
    return (await client.open(url, { signal })).blob();
  }
  if (/^(https?:\/\/[^/]+)?\/assets\//.test(named)) return (await client.open(named, { signal })).blob();
  if (readFile !== null && !/^[a-z]+:\/\//i.test(named)) return readFile(named);
  throw new GenwayError(
    `'audio' must be the id of an uploaded file, the address of an asset of this service${readFile === null ? "" : ", the path of a file"} or a data: URI.`,
    { status: 0, code: "invalid_request", param: "audio" },
  );
}

export const callTools: readonly Tool[] = [chat, transcribe];
