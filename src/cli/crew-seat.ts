import { Type, type Static } from "typebox";
import { fitting } from "../config/shape.ts";

const variable = "GENWAY_CREW_SEAT";

/** What a process of a crew is told at its start. */
const Seat = Type.Object({ number: Type.Number(), token: Type.String() });
export type Seat = Static<typeof Seat>;

/** A seat as environment of the process that is to take it. */
export function giveSeat(seat: Seat): Record<string, string> {
  return { [variable]: JSON.stringify(seat) };
}

/** The seat of this process; null when it is no part of a crew. It is taken out of the environment, which others inherit. */
export function takeSeat(env: NodeJS.ProcessEnv): Seat | null {
  const text = env[variable];
  if (text === undefined) return null;
  delete env[variable];
  const seat: unknown = JSON.parse(text);
  return fitting(Seat, seat) ?? null;
}
