import assert from "node:assert/strict";
import { renameSync, rmSync, symlinkSync, unlinkSync, writeFileSync, mkdirSync, utimesSync } from "node:fs";
import { join } from "node:path";
import { test } from "node:test";
import { adapters, inFolder } from "./config.fixture.ts";
import { loadConfig, watchConfig, type Config } from "./config.ts";
import type { WatchOptions } from "./watcher.ts";

type Seen = { config: Config; needsRestart: readonly string[] } | { refused: string };

function text(requestsPerMinute: number | string, more = ""): string {
  return `local: true\nmodels: { m: { kinds: [video], routes: [{ provider: local }], price: free } }\nlimits: { requests_per_minute: ${requestsPerMinute} }\n${more}`;
}

/** A watched folder: `next` waits for the next thing the watcher tells; `told` counts them, `loads` how often the file was read. */
async function watching(
  run: (watched: { folder: string; file: string; next: () => Promise<Seen>; told: () => number; loads: () => number }) => Promise<void>,
  options: Partial<WatchOptions> = {},
): Promise<void> {
  await inFolder(async (folder) => {
    const file = join(folder, "genway.yaml");
    writeFileSync(file, text(1));
    const queue: Seen[] = [];
    let wake = (): void => {};
    let told = 0;
    const tell = (seen: Seen): void => {
      told++;
      queue.push(seen);
      wake();
    };
    const next = async (): Promise<Seen> => {
      // The watcher's own timers do not keep a process alive.
      const alive = setTimeout(() => assert.fail("nothing was told"), 10_000);
      while (queue.length === 0) await new Promise<void>((resolve) => (wake = resolve));
      clearTimeout(alive);
      return queue.shift() ?? assert.fail();
    };
    let loads = 0;
    const load = (): Config => {
      loads++;
      return loadConfig({ env: {}, cwd: folder, adapters });
    };
    const watcher = watchConfig(load, {
      current: load(),
      onChange: (config, needsRestart) => tell({ config, needsRestart }),
      onRefused: (refused) => tell({ refused }),
      quietMs: 30,
      pollMs: 60_000,
      ...options,
    });
    try {
      await run({ folder, file, next, told: () => told, loads: () => loads });
    } finally {
      watcher.close();
    }
  });
}

function limitOf(seen: Seen): number | null | string {
  return "refused" in seen ? seen.refused : seen.config.limits.requestsPerMinute;
}

test("a file that is written again takes effect", () =>
  watching(async ({ file, next }) => {
    writeFileSync(file, text(2));
    assert.equal(limitOf(await next()), 2);
    writeFileSync(file, text(3));
    assert.equal(limitOf(await next()), 3);
  }));

test("a file that is replaced by another takes effect, again and again", () =>
  watching(async ({ folder, file, next }) => {
    for (const limit of [2, 3, 4]) {
      writeFileSync(join(folder, "new.yaml"), text(limit));
      renameSync(join(folder, "new.yaml"), file);
      assert.equal(limitOf(await next()), limit);
    }
  }));

test("a link whose target is swapped takes effect", () =>
  watching(async ({ folder, file, next }) => {
    for (const version of ["one", "two"]) mkdirSync(join(folder, version));
    writeFileSync(join(folder, "one", "genway.yaml"), text(2));
    writeFileSync(join(folder, "two", "genway.yaml"), text(3));
    symlinkSync("one", join(folder, "data"));
    unlinkSync(file);
    symlinkSync(join("data", "genway.yaml"), file);
    assert.equal(limitOf(await next()), 2);
    symlinkSync("two", join(folder, "data.new"));
    renameSync(join(folder, "data.new"), join(folder, "data"));
    assert.equal(limitOf(await next()), 3);
  }));

test("where the system tells nothing, looking at the file finds the change", () =>
  watching(
    async ({ file, next, loads }) => {
      const started = 2; // once for the test, once when the watching began
      while (loads() < started) await new Promise((resolve) => setTimeout(resolve, 5));
      writeFileSync(file, text(22));
      assert.equal(limitOf(await next()), 22);
    },
    { watchFolder: () => () => {}, pollMs: 20 },
  ));

test("a change made before the watching began is found", () =>
  inFolder(async (folder) => {
    const file = join(folder, "genway.yaml");
    writeFileSync(file, text(1));
    const load = (): Config => loadConfig({ env: {}, cwd: folder, adapters });
    const current = load();
    writeFileSync(file, text(2));
    const alive = setTimeout(() => assert.fail("nothing was told"), 10_000);
    await new Promise<void>((resolve) => {
      const watcher = watchConfig(load, {
        current,
        onRefused: assert.fail,
        quietMs: 5,
        pollMs: 60_000,
        onChange: (config) => {
          assert.equal(config.limits.requestsPerMinute, 2);
          watcher.close();
          resolve();
        },
      });
    });
    clearTimeout(alive);
  }));

test("a wrong change is refused with its place, and a right one after it takes effect", () =>
  watching(async ({ file, next }) => {
    writeFileSync(file, text("many"));
    assert.match(String(limitOf(await next())), /genway\.yaml:3:11 {2}limits\.requests_per_minute: must be a whole number/);
    writeFileSync(file, "");
    assert.match(String(limitOf(await next())), /genway\.yaml:1:1 {2}is empty/);
    writeFileSync(file, text(5));
    assert.equal(limitOf(await next()), 5);
  }));

test("a file that goes away is refused: the gateway does not fall back to local mode", () =>
  watching(async ({ file, next }) => {
    rmSync(file);
    assert.match(String(limitOf(await next())), /is gone/);
    writeFileSync(file, text(6));
    assert.equal(limitOf(await next()), 6);
  }));

test("what cannot change at run time keeps its value and is named, the rest takes effect", () =>
  watching(async ({ file, next }) => {
    writeFileSync(
      file,
      text(
        7,
        'store: { url: postgres://db.example/x }\nmedia: { url: "s3://bucket?region=x&access_key_id=a&secret_access_key=b" }\nredis_url: redis://cache.example\n',
      ),
    );
    const seen = await next();
    assert("config" in seen);
    assert.deepEqual(seen.needsRestart, ["store.url", "media.url", "redis_url"]);
    assert.deepEqual(
      [seen.config.storeUrl, seen.config.mediaUrl, seen.config.redisUrl, seen.config.limits.requestsPerMinute],
      [null, null, null, 7],
    );
  }));

test("many writes in a row are one change, and a touch or a new comment is none", () =>
  watching(async ({ file, next, told, loads }) => {
    utimesSync(file, new Date(), new Date());
    for (let limit = 10; limit <= 20; limit++) writeFileSync(file, text(limit));
    assert.equal(limitOf(await next()), 20);
    writeFileSync(file, text(20, "# a comment\n"));
    writeFileSync(file, text(20, "# another\n"));
    const before = loads();
    while (loads() === before) await new Promise((resolve) => setTimeout(resolve, 5));
    assert.equal(told(), 1);
  }));

test("without a file there is nothing to watch", () =>
  inFolder((cwd) => {
    const current = loadConfig({ env: {}, cwd, adapters });
    watchConfig(assert.fail, { current, onChange: assert.fail, onRefused: assert.fail }).close();
  }));
