import type { Shell } from "./shell.ts";

/** One option of a command, in the form that `parseArgs` reads, with what the help says of it. */
export type Option = {
  type: "string" | "boolean";
  multiple?: boolean;
  short?: string;
  required?: boolean;
  /** What stands for the value in the help. */
  value?: string;
  says: string;
};
export type Options = Record<string, Option>;

type Value<O extends Option> = O extends { type: "boolean" } ? boolean : O extends { multiple: true } ? string[] : string;
type Values<T extends Options> = { [K in keyof T]: T[K] extends { required: true } ? Value<T[K]> : Value<T[K]> | undefined };
type Words<T extends readonly string[]> = { [K in keyof T]: T[K] extends `[${string}]` ? string | undefined : string };

/** What was typed after the name of a command. */
export type Given<V, W> = { values: V; words: W };

export type Command = {
  /** One or two words. */
  name: string;
  /** The words it takes, those that may be left out in brackets. */
  takes: readonly string[];
  says: string;
  /** More lines for its own help. */
  more?: readonly string[];
  example: string;
  options: Options;
  /** Everything after the name goes to it as it stands. */
  passesOn?: boolean;
  /** The exit code, if not 0; throws for what is to be explained. */
  run(given: Given<Record<string, unknown>, readonly unknown[]>, shell: Shell): Promise<number | void>;
};

type Typed<O extends Options, T extends readonly string[]> = Omit<Command, "options" | "takes" | "run"> & {
  takes: T;
  options: O;
  run(given: Given<Values<O>, Words<T>>, shell: Shell): Promise<number | void>;
};

/** Describes a command; the types of its values and words are read off its options and what it takes. */
export function command<const O extends Options, const T extends readonly string[]>(described: Typed<O, T>): Command {
  return described;
}

/** What every command takes that asks the service. */
export const gatewayOptions = {
  url: { type: "string", value: "URL", says: "the address of the service (GENWAY_URL; else the one running on the data folder)" },
} as const satisfies Options;

export const jsonOption = { json: { type: "boolean", says: "print the service's own JSON" } } as const satisfies Options;
