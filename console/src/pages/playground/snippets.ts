import type { Request } from "./request.ts";

export type SnippetLanguage = "curl" | "typescript" | "python";

/** The same request as code; the key is always an environment variable. */
export function snippet(language: SnippetLanguage, request: Request, base: string): string {
  const { async: _deferred, ...body } = request.body;
  const plain = { ...request, body };
  if (language === "curl") return curl(plain, base);
  return language === "typescript" ? typescript(plain, base) : python(plain, base);
}

/** Creates that answer a task whatever they are asked. */
function isTask({ path }: Request): boolean {
  return !path.startsWith("/v1/");
}

function curl(request: Request, base: string): string {
  const { path, body, sends } = request;
  const lines = [`curl -s ${base}${path}`, `-H "Authorization: Bearer $GENWAY_KEY"`];
  if (isTask(request)) lines.push(`-H "Prefer: wait=60"`);
  if (body["stream"] === true) lines[0] = `curl -sN ${base}${path}`;
  if (sends === "json") lines.push(`-H "Content-Type: application/json"`, `-d ${shellQuoted(json(body))}`);
  else
    lines.push(
      ...Object.entries(body).map(
        ([name, value]) => `-F ${shellQuoted(value instanceof File ? `${name}=@${value.name}` : `${name}=${String(value)}`)}`,
      ),
    );
  if (path === "/v1/audio/speech") lines.push("-o speech.mp3");
  return lines.join(" \\\n  ");
}

function shellQuoted(text: string): string {
  return `'${text.replaceAll("'", String.raw`'\''`)}'`;
}

function typescript(request: Request, base: string): string {
  const { path, body, sends } = request;
  const head = [
    `import { createClient } from "genway/client";`,
    "",
    `const genway = createClient({ baseUrl: "${base}", key: process.env.GENWAY_KEY });`,
  ];
  if (sends === "multipart") return multipartTs(request, base).join("\n");
  const wish = wishOf(request);
  if (wish !== null) {
    const [name, fields] = wish;
    return [
      ...head,
      `const task = await genway.generate.${name}(${js(fields)});`,
      `const done = await task.wait({ onProgress: ({ progress }) => console.log(progress) });`,
      "console.log(done.result);",
    ].join("\n");
  }
  const { stream: _stream, stream_options: _options, ...whole } = body;
  const call = `const reply = await genway.unwrap(genway.POST("${path}", { body: ${js(whole)} }));`;
  return [...head, call, "console.log(reply);"].join("\n");
}

/** What `genway.generate` takes for a request, where it has a word for it. */
function wishOf({ path, body }: Request): [string, object] | null {
  const video = /^\/custom_video\/model\/(.+)$/.exec(path);
  if (video) return ["video", { model: decodeURIComponent(video[1] ?? ""), ...body }];
  if (path === "/musicA/submit/lyrics") return ["lyrics", body];
  if (path === "/v1/images/generations") return ["image", body];
  if (path === "/v1/audio/speech") return ["speech", body];
  if (path !== "/musicA/submit/music") return null;
  const { gpt_description_prompt: about, prompt: lyrics, mv: model, make_instrumental: instrumental, task_id: _task, ...rest } = body;
  return [
    "music",
    { ...(about !== undefined && { prompt: about }), ...(lyrics !== undefined && { lyrics }), model, instrumental, ...rest },
  ];
}

function multipartTs({ path, body }: Request, base: string): string[] {
  return [
    `import { openAsBlob } from "node:fs";`,
    "",
    "const form = new FormData();",
    ...Object.entries(body).map(([name, value]) =>
      value instanceof File
        ? `form.append("${name}", await openAsBlob(${JSON.stringify(value.name)}), ${JSON.stringify(value.name)});`
        : `form.append("${name}", ${JSON.stringify(String(value))});`,
    ),
    `const reply = await fetch("${base}${path}", {`,
    `  method: "POST",`,
    "  headers: { authorization: `Bearer ${process.env.GENWAY_KEY}` },",
    "  body: form,",
    "});",
    "console.log(await reply.json());",
  ];
}

const openAiCalls: Readonly<Record<string, string>> = {
  "/v1/chat/completions": "chat.completions.create",
  "/v1/completions": "completions.create",
  "/v1/embeddings": "embeddings.create",
  "/v1/images/generations": "images.generate",
  "/v1/images/edits": "images.edit",
  "/v1/images/variations": "images.create_variation",
  "/v1/audio/speech": "audio.speech.create",
  "/v1/audio/transcriptions": "audio.transcriptions.create",
};

function python(request: Request, base: string): string {
  const { path, body } = request;
  const call = openAiCalls[path];
  if (call === undefined) return pythonTask(path, body, base);
  const { stream_options: _options, ...asked } = body;
  const fields = Object.entries(asked).map(
    ([name, value]) => `    ${name}=${value instanceof File ? `open(${JSON.stringify(value.name)}, "rb")` : py(value, 1)},`,
  );
  const shown =
    path === "/v1/audio/speech"
      ? `reply.write_to_file("speech.mp3")`
      : body["stream"] === true
        ? "for chunk in reply:\n    print(chunk.choices)"
        : "print(reply)";
  return [
    "import os",
    "from openai import OpenAI",
    "",
    `client = OpenAI(base_url="${base}/v1", api_key=os.environ["GENWAY_KEY"])`,
    `reply = client.${call}(`,
    ...fields,
    ")",
    shown,
  ].join("\n");
}

function pythonTask(path: string, body: object, base: string): string {
  return [
    "import os, requests",
    "",
    "reply = requests.post(",
    `    "${base}${path}",`,
    `    headers={"Authorization": f"Bearer {os.environ['GENWAY_KEY']}", "Prefer": "wait=60"},`,
    `    json=${py(body, 1)},`,
    "    timeout=90,",
    ")",
    "reply.raise_for_status()",
    "print(reply.json())",
  ].join("\n");
}

function json(value: unknown): string {
  return JSON.stringify(value, null, 2);
}

/** A value as JavaScript writes it: names without quotes. */
function js(value: unknown): string {
  return json(value).replace(/^(\s*)"([A-Za-z_]\w*)":/gm, "$1$2:");
}

/** A value as Python writes it. */
function py(value: unknown, depth: number): string {
  const pad = "    ".repeat(depth + 1);
  const end = "    ".repeat(depth);
  if (value === true) return "True";
  if (value === false) return "False";
  if (value === null || value === undefined) return "None";
  if (Array.isArray(value)) return `[\n${value.map((each) => `${pad}${py(each, depth + 1)},\n`).join("")}${end}]`;
  if (typeof value === "object") {
    const fields = Object.entries(value).map(([name, each]) => `${pad}${JSON.stringify(name)}: ${py(each, depth + 1)},\n`);
    return `{\n${fields.join("")}${end}}`;
  }
  return JSON.stringify(value);
}
