import { Type } from "typebox";
import { mebibyte, operation } from "../operation.ts";
import { nullable } from "../wire.ts";
import { admin } from "./acts.ts";

const seconds = (ms: number) => Math.floor(ms / 1000);

const getConfig = operation({
  ...admin,
  method: "GET",
  url: "/admin/v1/config",
  summary: "The configuration in force, and the latest change of its file that was refused",
  reply: Type.Object({
    object: Type.Literal("config"),
    file: nullable(Type.String({ description: "null in local mode" })),
    loaded_at: Type.Integer(),
    refused: nullable(Type.Object({ at: Type.Integer(), says: Type.String() })),
    models: Type.Integer(),
    providers: Type.Integer(),
  }),
  async run(_ask, { operating }) {
    const { file, loadedAt, refused, models, providers } = operating.configuration();
    return {
      object: "config",
      file,
      loaded_at: seconds(loadedAt),
      refused: refused && { at: seconds(refused.at), says: refused.says },
      models: models.length,
      providers: Object.keys(providers).length,
    };
  },
});

const validateConfig = operation({
  ...admin,
  method: "POST",
  url: "/admin/v1/config/validate",
  summary: "Judge a text as if it were the configuration file; nothing of it comes into force",
  body: Type.Object({ text: Type.String({ maxLength: 256 * 1024, description: "YAML" }) }),
  bodyLimit: mebibyte,
  reply: Type.Object({
    object: Type.Literal("config.validation"),
    ok: Type.Boolean(),
    problems: Type.Array(
      Type.Object({ line: nullable(Type.Integer()), column: nullable(Type.Integer()), path: Type.String(), says: Type.String() }),
    ),
    providers: Type.Integer(),
    models: Type.Integer(),
  }),
  async run({ body }, { operating }) {
    const { problems, providers, models } = operating.checkConfiguration(body.text);
    const shown = problems.map(({ line, column, path, says }) => ({ line, column, path, says }));
    return { object: "config.validation", ok: problems.length === 0, problems: shown, providers, models };
  },
});

export const configOperations = [getConfig, validateConfig];
