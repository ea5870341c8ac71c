import { Type } from "typebox";
import { nullable } from "../wire.ts";

/** Fields that several text operations share; all may be left out or null. */
export const maybe = {
  flag: Type.Optional(nullable(Type.Boolean())),
  deferred: Type.Optional(nullable(Type.Boolean({ description: "true: answer a task at once, whose result becomes the reply" }))),
  text: Type.Optional(nullable(Type.String())),
  count: Type.Optional(nullable(Type.Integer({ minimum: 0 }))),
  number: Type.Optional(nullable(Type.Number())),
  share: Type.Optional(nullable(Type.Number({ minimum: 0, maximum: 1 }))),
  penalty: Type.Optional(nullable(Type.Number({ minimum: -2, maximum: 2 }))),
  temperature: Type.Optional(nullable(Type.Number({ minimum: 0, maximum: 2 }))),
  choices: Type.Optional(nullable(Type.Integer({ minimum: 1, maximum: 128 }))),
  stop: Type.Optional(nullable(Type.Union([Type.String(), Type.Array(Type.String(), { maxItems: 16 })]))),
  bias: Type.Optional(nullable(Type.Record(Type.String(), Type.Number({ minimum: -100, maximum: 100 })))),
  options: Type.Optional(nullable(Type.Object({ include_usage: Type.Optional(nullable(Type.Boolean())) }, { additionalProperties: true }))),
};

export const modelName = Type.String({ minLength: 1, maxLength: 200, pattern: "^[^\\u0000-\\u001f]+$" });

/** What the dialect knows beyond what is checked here passes through to the provider. */
export const passing = { additionalProperties: true };

/** A reply of one of the public dialects, described by them. */
export function foreignReply(description: string) {
  return Type.Object({}, { additionalProperties: true, description });
}
