import { Type } from "typebox";
import { Value } from "typebox/value";
import { GenwayError, type Reply } from "../../client/client.ts";
import { generateTools } from "./generate-tools.ts";
import { textContent } from "./task-content.ts";
import { tool, type Tool } from "./tool.ts";

const listModels = tool({
  name: "list_models",
  title: "List models",
  says: "Lists the models that this key may use and what each can make. A name with * stands for every name that fits it.",
  input: Type.Object({
    kind: Type.Optional(
      Type.String({ maxLength: 40, description: "only those for video, music, lyrics, image, speech, transcription, chat …" }),
    ),
  }),
  isReadOnly: true,
  async run({ kind }, { client }) {
    const { data } = await client.unwrap(client.GET("/v1/models"));
    const models = data.filter(({ kinds }) => kind === undefined || kinds.includes(kind));
    const lines = models.map(({ id, kinds }) => `${id}: ${kinds.join(", ")}`);
    return textContent(lines.length === 0 ? "There is no such model." : lines.join("\n"), {
      models: models.map(({ id, kinds }) => ({ id, kinds })),
    });
  },
});

const names = generateTools.map(({ name }) => name);

const quote = tool({
  name: "quote",
  title: "Ask for a price",
  says: "Tells what a tool that makes something would cost with these arguments, without running it.",
  input: Type.Object({
    tool: Type.String({ description: `one of ${names.join(", ")}, chat` }),
    arguments: Type.Object({}, { additionalProperties: true, description: "what that tool would be given" }),
  }),
  isReadOnly: true,
  async run({ tool: name, arguments: given }, { client }) {
    const priced = await client.unwrap(client.POST("/v1/quote", { body: await createOf(name, given) }));
    return textContent(quoteText(priced), { ...priced });

    async function createOf(wanted: string, wish: object): Promise<{ path: string; body: Record<string, unknown> }> {
      if (wanted === "chat")
        return { path: "/v1/chat/completions", body: { max_tokens: 1024, model: await client.usualModel("chat"), ...wish } };
      const made = generateTools.find((one) => one.name === wanted);
      if (made === undefined) throw wrong(`'tool' must be one of ${names.join(", ")}, chat.`, "tool");
      const [problem] = Value.Errors(made.input, wish);
      if (problem !== undefined) throw wrong(`'arguments${problem.instancePath}' ${problem.message}.`, "arguments");
      const { path, body } = await made.prepare(wish, client);
      return { path, body: { ...body } };
    }
  },
});

function quoteText({ amount_usd: amount, details }: Reply<"postQuote">): string {
  const parts = details.map(({ quantity, unit, unit_usd: each }) => `${quantity} × ${each} USD ${unit.replaceAll("_", " ")}`);
  return `${amount} USD${parts.length === 0 ? "" : ` (${parts.join(", ")})`}`;
}

function wrong(says: string, param: string): GenwayError {
  return new GenwayError(says, { status: 0, code: "invalid_request", param });
}

const getBalance = tool({
  name: "get_balance",
  title: "Show the balance",
  says: "Shows what the account of this key has left, what is held for running tasks, and what it has spent.",
  input: Type.Object({}),
  isReadOnly: true,
  async run(_given, { client }) {
    const balance = await client.unwrap(client.GET("/v1/balance"));
    const { available_usd: available, held_usd: held, used_usd: used } = balance;
    return textContent(`${available} USD available, ${held} USD held for running tasks, ${used} USD spent.`, { ...balance });
  },
});

export const infoTools: readonly Tool[] = [listModels, quote, getBalance];
