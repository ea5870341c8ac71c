/** The floor for a gateway on Node: Fastify in front, undici behind, the body parsed once and passed on as it came. Its parent is told the port. */
import type { AddressInfo } from "node:net";
import Fastify, { type FastifyReply } from "fastify";
import { Pool } from "undici";

type Body = { bytes: Buffer; value: { stream?: boolean } };

const upstream = new Pool(process.argv[2] ?? "");
const headers = { "content-type": "application/json", authorization: "Bearer mock-key" };
const app = Fastify({ logger: false, bodyLimit: 32 * 1024 * 1024, keepAliveTimeout: 120_000 });

app.removeAllContentTypeParsers();
app.addContentTypeParser("application/json", { parseAs: "buffer" }, (_request, bytes: Buffer, done) => {
  try {
    done(null, { bytes, value: JSON.parse(bytes.toString()) });
  } catch (error) {
    done(error as Error);
  }
});
for (const path of ["/v1/chat/completions", "/v1/completions"])
  app.post(path, (request, reply) => {
    const { bytes, value } = request.body as Body;
    passOn(path, bytes, value.stream === true, reply);
  });
await app.listen({ port: 0, host: "127.0.0.1", backlog: 4096 });
process.send?.({ port: (app.server.address() as AddressInfo).port });
process.once("disconnect", () => process.exit());

function passOn(path: string, body: Buffer, isStream: boolean, reply: FastifyReply): void {
  const { raw } = reply.hijack();
  const whole: Buffer[] = [];
  upstream.dispatch(
    { method: "POST", path, headers, body },
    {
      onRequestStart(controller) {
        if (isStream) raw.once("close", () => raw.writableFinished || controller.abort(new Error("the client has gone")));
      },
      onResponseStart(_controller, status, { "content-type": type, "content-length": length }) {
        if (type !== undefined) raw.setHeader("content-type", type);
        if (length !== undefined) raw.setHeader("content-length", length);
        raw.writeHead(status);
      },
      onResponseData(controller, piece) {
        if (!isStream) return void whole.push(piece);
        if (raw.write(piece)) return;
        controller.pause();
        raw.once("drain", () => controller.resume());
      },
      onResponseEnd() {
        raw.end(whole.length < 2 ? whole[0] : Buffer.concat(whole));
      },
      onResponseError() {
        if (!raw.headersSent) raw.writeHead(502);
        raw.end();
      },
    },
  );
}
