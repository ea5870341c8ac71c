import { styleText } from "node:util";
import type { Variables } from "../config/source.ts";

/** What surrounds a command: environment, folder, clock, and the two streams it writes to. */
export type Shell = {
  env: Variables;
  cwd: string;
  now(): number;
  /** Writes a line of the result, which may be piped on. */
  print(line: string): void;
  /** Writes a line about the work, beside the result. */
  note(line: string): void;
  /** The stream of the notes, for a line that is drawn again and again. */
  screen: { isTerminal: boolean; columns(): number; write(text: string): void };
  /** Text in a colour where the result goes to a terminal that wants colours, else as it is. */
  paint(colour: Colour, text: string): string;
  /** Calls back at every Ctrl-C, instead of ending the process, until the returned function is called. */
  onInterrupt(act: () => void): () => void;
};

export type Colour = "bold" | "green" | "yellow" | "red";

/** The shell that this process was started from. */
export function processShell(): Shell {
  const { env, stdout, stderr } = process;
  const isColourful = wantsColours(env, stdout.isTTY);
  return {
    env,
    cwd: process.cwd(),
    now: Date.now,
    print: (line) => void stdout.write(`${line}\n`),
    note: (line) => void stderr.write(`${line}\n`),
    screen: {
      isTerminal: stderr.isTTY && env["TERM"] !== "dumb",
      columns: () => stderr.columns || 80,
      write: (text) => void stderr.write(text),
    },
    paint: (colour, text) => (isColourful ? styleText(colour, text, { validateStream: false }) : text),
    onInterrupt(act) {
      process.on("SIGINT", act);
      return () => void process.off("SIGINT", act);
    },
  };
}

/** Whether a stream gets colours: a terminal that can, unless NO_COLOR is set to anything. */
export function wantsColours(env: Variables, isTerminal: boolean): boolean {
  return isTerminal && !env["NO_COLOR"] && env["TERM"] !== "dumb";
}
