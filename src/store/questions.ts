import { parentPort } from "node:worker_threads";

type Thread<Q> = { answer(question: Q): Promise<object>; close(): Promise<void> };

/** The inside of a thread that `startThread` started: answers one question after the other, until it is told to close. */
export function answerQuestions<Q>({ answer, close }: Thread<Q>): void {
  const port = parentPort;
  if (port === null) throw new Error("this file runs as a thread");
  let last: Promise<void> = Promise.resolve();
  port.on("message", (message: string) => {
    last = last.then(async () => {
      if (message === "close") {
        await close();
        port.postMessage("closed");
        port.close();
        return;
      }
      const question = JSON.parse(message) as { id: number } & Q;
      port.postMessage(JSON.stringify({ ...(await answer(question)), id: question.id }));
    });
  });
  port.postMessage("ready");
}
