import cluster from "node:cluster";
import { setTimeout as pause } from "node:timers/promises";
import type { Config } from "../config/config.ts";
import { fitting } from "../config/shape.ts";
import { openConsole } from "./console-files.ts";
import { createGateway, type Gateway } from "../main.ts";
import { LeadMessage, type Figures, type MateMessage } from "./crew-message.ts";
import type { Seat } from "./crew-seat.ts";
import { createLog } from "./log.ts";
import { letNurseryGrow } from "./nursery.ts";
import { readPackageFile } from "./package-file.ts";
import { createQuestions } from "./questions.ts";
import { createStop } from "./stop.ts";

const gatherMs = 4_000;
/** How long clients may take to go elsewhere when this process is to be replaced. */
const leaveMs = 20_000;

/** Serves as one process of a crew, as long as the one that looks after it is there. */
export async function serveInCrew(seat: Seat, config: Config, reload: () => Config): Promise<void> {
  // They come from a terminal to every process at once; what to do is then said by the one in front.
  for (const signal of ["SIGINT", "SIGHUP"] as const) process.on(signal, () => {});
  const questions = createQuestions<Figures>();
  const gatherMetrics = async () =>
    (await questions.ask((id) => tell({ says: "whose figures", id }), gatherMs)) ?? (await gateway.metrics());
  const place = { ...seat, gatherMetrics };
  const gateway: Gateway = await createGateway({
    config,
    log: createLog(),
    version: readPackageFile().version,
    reload,
    place,
    console: openConsole(),
  });
  letNurseryGrow();
  const stop = createStop(() => gateway.close());
  const leave = async () => {
    await Promise.race([gateway.leave(), pause(leaveMs)]);
    stop();
  };
  process.on("SIGTERM", () => void leave());
  process.on("message", (value) => {
    const message = fitting(LeadMessage, value);
    if (message?.says === "stop") stop();
    else if (message?.says === "leave") void leave();
    else if (message?.says === "all figures") questions.answer(message.id, message.figures);
    else if (message?.says === "your figures") void show(gateway, message.id);
  });
  // What cannot be said any more need not be: the connection ends next.
  cluster.worker?.on("error", () => {});
  cluster.worker?.on("disconnect", () => {
    // Without this the process would end here and now, and cut off whoever is being answered.
    if (cluster.worker !== undefined) cluster.worker.exitedAfterDisconnect = true;
    stop();
  });
  const { url, adminKey, firstKey } = gateway;
  tell({ says: "serving", url, adminKey, firstKey });
}

async function show(gateway: Gateway, id: number): Promise<void> {
  // Without an answer the others are shown alone.
  const figures = await gateway.metrics().catch(() => null);
  if (figures !== null) tell({ says: "my figures", id, figures });
}

function tell(message: MateMessage): void {
  if (process.connected) process.send?.(message, undefined, undefined, () => {});
}
