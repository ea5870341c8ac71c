import type { ChildProcess, SendHandle, Serializable } from "node:child_process";
import cluster from "node:cluster";

/**
 * Gives a connection to another process when the one it was handed to dies before it takes it. Node's cluster forgets such a one, and its client
 * would wait for ever.
 */
export function mendHandover(child: ChildProcess): void {
  const underWay = new Map<unknown, SendHandle>();
  const send = child.send.bind(child);
  const sendAndRemember = (message: Serializable, handle?: SendHandle, ...rest: []): boolean => {
    if (handle && typeof message === "object" && "seq" in message) underWay.set(message.seq, handle);
    return send(message, handle, ...rest);
  };
  Object.defineProperty(child, "send", { value: sendAndRemember });
  child.on("internalMessage", (message: { ack?: unknown }) => void underWay.delete(message.ack));
  child.once("exit", () => whenRead(child, () => returnConnections(child, underWay)));
}

/** Calls back when all that the process has said is read. */
function whenRead(child: ChildProcess, act: () => void): void {
  if (child.connected) setImmediate(whenRead, child, act);
  else act();
}

function returnConnections(child: ChildProcess, underWay: Map<unknown, SendHandle>): void {
  if (underWay.size === 0) return;
  // With a connection under way it is not said by itself, and the dead process would stay in the round.
  child.emit("disconnect");
  const hasOthers = Object.values(cluster.workers ?? {}).some((worker) => worker?.isConnected() === true);
  for (const [ack, handle] of underWay) {
    // What a process answers that is about to stop: the connection goes to the next one.
    if (hasOthers) child.emit("internalMessage", { cmd: "NODE_CLUSTER", ack, accepted: false });
    else if (handle && "close" in handle) handle.close();
  }
}
