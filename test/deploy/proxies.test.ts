import assert from "node:assert/strict";
import type { ServerResponse } from "node:http";
import { after, before, describe, test } from "node:test";
import { eventually } from "../support/eventually.ts";
import { runs, textOf } from "./deploy-files.ts";
import { startCaddy, startNginx, startOrigin, testNginx, type Origin, type Proxy } from "./proxies.ts";

const proxies = [
  { name: "nginx", start: startNginx, isThere: runs("nginx", "-v"), asksReady: false },
  { name: "caddy", start: startCaddy, isThere: runs("caddy", "version"), asksReady: true },
];

test("both proxies name the gateways of the stack, and the same limits", () => {
  const [caddy, nginx] = [textOf("deploy/caddy/Caddyfile"), textOf("deploy/nginx/nginx.conf")];
  for (const text of [caddy, nginx]) for (const place of ["gateway-1:8787", "gateway-2:8787"]) assert.ok(text.includes(place), place);
  assert.deepEqual([/max_size (\d+)MiB/.exec(caddy)?.[1], /client_max_body_size (\d+)m/.exec(nginx)?.[1]], ["34", "34"]);
  assert.deepEqual([/response_header_timeout (\w+)/.exec(caddy)?.[1], /proxy_read_timeout (\w+)/.exec(nginx)?.[1]], ["11m", "11m"]);
  assert.ok(caddy.includes("flush_interval -1") && nginx.includes("proxy_buffering off;"));
  assert.deepEqual([/\bkeepalive (\w+)/.exec(caddy)?.[1], /keepalive_timeout (20s)/.exec(nginx)?.[1]], ["20s", "20s"]);
});

test("nginx finds its file right", { skip: !runs("nginx", "-v") && "nginx is not found" }, async () => {
  const { status, said } = await testNginx();
  assert.equal(status, 0, said);
});

for (const { name, start, isThere, asksReady } of proxies) {
  describe(name, { skip: !isThere && `${name} is not found` }, () => {
    let origins: [Origin, Origin];
    let proxy: Proxy;
    let unready = 0;
    let open: ServerResponse | null = null;

    before(async () => {
      const origin = () =>
        startOrigin((request, reply) => {
          if (request.url === "/break") return void request.socket.destroy();
          if (request.url?.startsWith("/stream")) {
            open = reply.writeHead(200, { "content-type": request.url.replace("/stream/", "") });
            return void reply.write("data: one\n\n");
          }
          const isUnready = request.url === "/ready" && request.socket.localPort === unready;
          request.resume().once("end", () => reply.writeHead(isUnready ? 503 : 200).end("{}"));
        });
      origins = [await origin(), await origin()];
      proxy = await start(origins.map(({ port }) => port));
    });
    after(async () => {
      await proxy.stop();
      await Promise.all(origins.map((origin) => origin.stop()));
    });
    const post = (path: string, body = "{}", headers = {}) => fetch(proxy.url + path, { method: "POST", body, headers });
    const seenOf = (path: string) => origins.map(({ seen }) => seen.filter(({ url }) => url === path).length);

    // Proxies know events by their type and may treat them better than other streams.
    for (const type of ["text/event-stream", "audio/mpeg"])
      test(`each piece of ${type} arrives before the next one is written`, { timeout: 30_000 }, async () => {
        const reply = await fetch(`${proxy.url}/stream/${type}`, { headers: { "accept-encoding": "gzip" } });
        const reader = reply.body?.getReader();
        const read = async () => new TextDecoder().decode((await reader?.read())?.value);
        assert.equal(await read(), "data: one\n\n");
        open?.write("data: two\n\n");
        assert.equal(await read(), "data: two\n\n");
        open?.end();
        assert.equal(await read(), "");
      });

    test("both nodes get requests, with the client's address in place of what it claims", async () => {
      for (let count = 0; count < 8; count++) await post("/shared", "{}", { "x-forwarded-for": "203.0.113.9" });
      const requests = origins.flatMap(({ seen }) => seen.filter(({ url }) => url === "/shared"));
      assert.equal(requests.length, 8);
      for (const { headers } of requests) assert.equal(headers["x-forwarded-for"], "127.0.0.1");
      assert.ok(requests.every(({ headers }) => headers.host === proxy.url.replace("http://", "")));
    });

    test("a request that may have arrived is not sent again", async () => {
      assert.equal((await post("/break")).status, 502);
      assert.equal(
        seenOf("/break").reduce((sum, count) => sum + count),
        1,
      );
    });

    test("figures are not shown, and a body above the limit is refused", async () => {
      assert.equal((await fetch(`${proxy.url}/metrics`)).status, 404);
      assert.equal((await post("/large", "x".repeat(35 * 1024 * 1024))).status, 413);
      assert.equal((await post("/allowed", "x".repeat(33 * 1024 * 1024))).status, 200);
    });

    if (asksReady)
      test("a node that is not ready gets no requests until it is", async () => {
        unready = origins[0].port;
        await eventually(
          async () => {
            const earlier = origins[0].seen.length;
            for (let count = 0; count < 40; count++) await post("/ask");
            return origins[0].seen.length === earlier;
          },
          { what: "the proxy to notice" },
        );
        unready = 0;
        const earlier = origins[0].seen.length;
        const isBack = async () => (await post("/ask")).ok && origins[0].seen.length > earlier;
        await eventually(isBack, { what: "the node to get requests again" });
      });

    test("a node that is gone costs no request", async () => {
      await origins[0].stop();
      const replies = await Promise.all(Array.from({ length: 12 }, () => post("/after")));
      assert.deepEqual(
        replies.map(({ status }) => status),
        Array.from({ length: 12 }, () => 200),
      );
    });
  });
}
