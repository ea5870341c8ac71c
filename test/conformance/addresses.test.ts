import assert from "node:assert/strict";
import { after, before, describe, test } from "node:test";
import { dialects } from "../../lab/dialects/index.ts";
import type { Adapter, TaskProvider, Work } from "../../src/core/provider.ts";
import { adapters } from "../../src/providers/index.ts";
import { png } from "../support/samples.ts";
import { startServer, type LocalServer } from "./local-server.ts";
import { jobOf, secret } from "./provider-probe.ts";

let upstream: LocalServer;
let elsewhere: LocalServer;
before(async () => {
  upstream = await startServer(() => ({ status: 404, body: "{}" }));
  elsewhere = await startServer(() => ({ status: 200, body: "{}" }));
});
after(async () => {
  await upstream.close();
  await elsewhere.close();
});

const names = (): string[] => [
  "..",
  ".",
  "../../admin",
  "a/../../../admin",
  "a/./b",
  "..%2f..%2fadmin",
  "..\\..\\admin",
  "a?fal_webhook=https://evil.example",
  "a&key=1",
  "a#b",
  "a b",
  "{id}",
  "{options.secret}",
  "{+model}{reference}",
  "//evil.example/a",
  "@evil.example",
  "a\r\nx-evil: 1",
  "a\u2028b",
  "\ud800",
  "🦊/مرحبا",
  `${elsewhere.url}/a`,
  elsewhere.url.replace("http:", ""),
  elsewhere.url.replace("://", "://user:pass@"),
];

for (const dialect of dialects) {
  const { type, adapter: spoken = type, samples } = dialect;
  const adapter = adapters.find((one) => one.type === spoken);
  const [sample] = samples;
  if (!adapter || !sample) continue;
  const provider = (): TaskProvider => {
    const baseUrl = `${upstream.url}/base`;
    const made = adapter.create({ name: type, baseUrl, allowPrivateNetwork: true, options: dialect.options?.(baseUrl) ?? {} });
    return made.tasks ?? assert.fail(`${type} has no tasks`);
  };
  const work: Work = {
    signal: new AbortController().signal,
    credential: { id: "1", secret: dialect.credential?.(secret) ?? secret },
    report: () => {},
    load: async () => ({ bytes: png(8, 8), mime: "image/png" }),
  };
  const seenDuring = async (act: () => Promise<unknown>) => {
    upstream.seen.length = 0;
    await act();
    return upstream.seen.map(({ path, query }) => ({ path, href: `${path}?${query}`, names: [...new URLSearchParams(query).keys()] }));
  };

  describe(type, () => {
    test("no name of a model and no prompt leads out of the upstream's address or adds to its query", async () => {
      const one = provider();
      for (const each of samples) {
        const usual = await seenDuring(() => one.start(jobOf(each, ""), work));
        const known = new Set(usual.flatMap((request) => request.names));
        for (const name of names()) {
          for (const { path, href, names: asked } of await seenDuring(() => one.start({ ...jobOf(each, ""), model: name }, work))) {
            assert.ok(staysIn(path), `${JSON.stringify(name)} → ${href}`);
            assert.ok(usual.length === 0 || asked.every((field) => known.has(field)), `${JSON.stringify(name)} → ${href}`);
          }
        }
        const prompted = await seenDuring(() => one.start(jobOf(each, names().join(" ")), work));
        assert.deepEqual(
          prompted.map(({ path }) => path),
          usual.map(({ path }) => path),
        );
      }
      assert.deepEqual(elsewhere.seen, []);
    });

    test("no id and no address of a job that the upstream names leads elsewhere", async () => {
      const one = provider();
      const kept = keptBy(adapter);
      for (const name of names()) {
        for (const keep of [kept, Object.fromEntries(Object.keys(kept).map((key) => [key, name]))]) {
          const job = { upstreamId: name, keep, kind: sample.kind, model: sample.model };
          const seen = await seenDuring(async () => {
            await one.poll?.(job, work);
            await one.cancel?.(job, work);
            await one.pollMany?.run([job], work);
          });
          for (const { path, href } of seen) assert.ok(staysIn(path), `${JSON.stringify(name)} → ${href}`);
        }
      }
      assert.deepEqual(elsewhere.seen, []);
    });
  });
}

/** Whether a path lies under the base address, for whoever reads it: some decode twice, and take a backslash for a slash. */
function staysIn(path: string): boolean {
  const segments = path.split("/");
  return path.startsWith("/base/") && !segments.includes("..") && !segments.includes(".") && !path.includes("//");
}

/** What a job's polls may need of the upstream, by every name that its addresses use. */
function keptBy(adapter: Adapter): Record<string, string> {
  const spec = "spec" in adapter ? JSON.stringify(adapter.spec) : "";
  return Object.fromEntries(Array.from(spec.matchAll(/\{\+?keep\.(\w+)\??\}/g), ([, name = ""]) => [name, `${upstream.url}/base/x`]));
}
