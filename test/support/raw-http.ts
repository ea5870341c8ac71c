import { connect } from "node:net";

/** Sends text as it is over a socket, and answers what comes back until the other side closes. */
export async function sendRaw(url: string, text: string, timeoutMs = 10_000): Promise<string> {
  const { hostname, port } = new URL(url);
  const socket = connect(Number(port), hostname);
  socket.setTimeout(timeoutMs, () => socket.destroy(new Error("the service neither answered nor closed")));
  socket.write(text);
  const chunks: Buffer[] = [];
  for await (const chunk of socket) chunks.push(chunk as Buffer);
  return Buffer.concat(chunks).toString();
}

/** A request with headers that clients do not let one set; the status of the reply. */
export async function statusOf(url: string, request: string, headers: Record<string, string>, body = ""): Promise<number> {
  const lines = Object.entries({
    connection: "close",
    ...(body === "" ? {} : { "content-type": "application/json", "content-length": String(Buffer.byteLength(body)) }),
    ...headers,
  });
  const reply = await sendRaw(url, `${request} HTTP/1.1\r\n${lines.map(([name, value]) => `${name}: ${value}\r\n`).join("")}\r\n${body}`);
  return Number(/^HTTP\/1\.1 (\d{3})/.exec(reply)?.[1]);
}
