// The health check of the image: ends with 0 when the service in this container answers /ready with 200.
import { get } from "node:http";

const { HOST = "0.0.0.0", PORT = "8787" } = process.env;
const isAny = HOST === "" || HOST === "0.0.0.0" || HOST === "::";
const request = get({ host: isAny ? "127.0.0.1" : HOST, port: PORT || 8787, path: "/ready", timeout: 4_000 }, (reply) => {
  process.exit(reply.statusCode === 200 ? 0 : 1);
});
request.once("timeout", () => process.exit(1));
request.once("error", () => process.exit(1));
