// A streamed chat with OpenAI's own client: only its address and key are ours.
import OpenAI from "openai";

const { GENWAY_URL: baseUrl = "http://127.0.0.1:8787", GENWAY_KEY: key = "none" } = process.env;
const openai = new OpenAI({ baseURL: `${baseUrl}/v1`, apiKey: key });

const stream = await openai.chat.completions.create({
  model: "any",
  messages: [{ role: "user", content: "Tell me about a boat." }],
  max_tokens: 40,
  stream: true,
});
for await (const { choices } of stream) process.stdout.write(choices[0]?.delta.content ?? "");
process.stdout.write("\n");
