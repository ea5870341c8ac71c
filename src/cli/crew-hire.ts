import cluster from "node:cluster";
import { fitting } from "../config/shape.ts";
import { MateMessage, type Figures, type LeadMessage } from "./crew-message.ts";
import { giveSeat, type Seat } from "./crew-seat.ts";
import type { Member } from "./crew-roster.ts";
import { createQuestions } from "./questions.ts";
import type { Greeting } from "./greeting.ts";
import { mendHandover } from "./handover.ts";

const answerMs = 2_000;

/** Starts one more process of the crew; `gather` is asked when a client of it wants the figures of all. */
export function hireMember(seat: Seat, port: number, gather: () => Promise<Figures>): Member {
  const worker = cluster.fork({ ...giveSeat(seat), PORT: String(port) });
  mendHandover(worker.process);
  const serving = Promise.withResolvers<Greeting | null>();
  const ended = Promise.withResolvers<{ code: number | null; signal: string | null }>();
  const questions = createQuestions<Figures>();
  const end = (code: number | null, signal: string | null) => {
    serving.resolve(null);
    ended.resolve({ code, signal });
  };
  const tell = (message: LeadMessage) => {
    if (worker.isConnected()) worker.send(message, () => {});
  };
  worker.on("exit", (code: number | null, signal: string | null) => end(code, signal));
  // A process that could not even be made has no exit.
  worker.on("error", () => worker.process.pid === undefined && end(1, null));
  worker.on("message", async (value: unknown) => {
    const message = fitting(MateMessage, value);
    if (message?.says === "serving") serving.resolve(message);
    else if (message?.says === "my figures") questions.answer(message.id, message.figures);
    else if (message?.says === "whose figures") tell({ says: "all figures", id: message.id, figures: await gather() });
  });
  return {
    number: seat.number,
    pid: worker.process.pid ?? 0,
    serving: serving.promise,
    ended: ended.promise,
    figures: () => questions.ask((id) => tell({ says: "your figures", id }), answerMs),
    tell: (says) => tell({ says }),
    kill: (signal) => void worker.process.kill(signal),
  };
}
