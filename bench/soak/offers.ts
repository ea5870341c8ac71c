import { parse, stringify } from "yaml";
import { describeConfiguration } from "../../lab/configuration.ts";
import { isInstant, type Dialect, type Sample } from "../../lab/dialect.ts";
import { dialects } from "../../lab/dialects/index.ts";
import type { Lab } from "../../lab/lab.ts";
import { mediaKinds, type MediaInput, type MediaKind } from "../../src/core/kinds.ts";

/** Something that can be ordered: a model of ours, the wires behind it, and a request that it can do. */
export type Offer = {
  model: string;
  work: MediaInput;
  /** In the order of the routes. */
  dialects: readonly Dialect[];
  price: { unit: string; nanos: number };
  /** Some upstream behind it answers with the result itself. */
  instant: boolean;
  /** The groups of operations that can order it; absent: all of its kind. */
  only?: readonly string[];
};

type Route = { provider: string; model: string; priority?: number };
type Entry = { kinds: MediaKind[]; routes: Route[]; price: Record<string, number> };

/** Every request of the lab's dialects that a client can make with a prompt alone or with one picture, each under a model of its own. */
export function listOffers(): Offer[] {
  const own = dialects.flatMap((dialect) =>
    plainSamples(dialect).flatMap(({ model, work }) => {
      const doors = doorsFor(work);
      return doors === null ? [] : [offerOf(`${dialect.type}/${work.kind}/${model}`, work, [dialect], doors)];
    }),
  );
  return [...own, ...sharedOffers()];
}

/** Which of our dialects can say all of a request; null where none can, or where the model has a name that is fixed. */
function doorsFor(work: MediaInput): Pick<Offer, "only"> | null {
  if (work.kind === "lyrics") return null;
  const { extras = {} } = work.input;
  const names = Object.keys(extras).filter((name) => !optionalExtras.has(name));
  if (names.length === 0) return {};
  return work.kind === "video" ? { only: ["videos", "video/generations"] } : null;
}

const optionalExtras = new Set(["negative_tags", "negative_prompt", "prompt_strength", "bypass_prompt_optimization", "expand_prompt"]);

/** Models whose names are fixed by a dialect of ours, and models with a second upstream to fail over to. */
const shared: Record<string, { routes: readonly [type: string, model: string][]; kind: MediaKind; only?: string[] }> = {
  midjourney: { kind: "image", routes: [["midjourney-proxy", "midjourney"]], only: ["mj"] },
  niji: {
    kind: "image",
    routes: [
      ["midjourney-proxy", "niji"],
      ["replicate", "black-forest-labs/flux-dev"],
    ],
    only: ["mj"],
  },
  lyrics: {
    kind: "lyrics",
    routes: [
      ["suno-relay", "lyrics"],
      ["sunoapi", "lyrics"],
      ["kie", "lyrics"],
      ["gcui-suno", "lyrics"],
    ],
  },
  "twin-video": {
    kind: "video",
    routes: [
      ["runway", "gen4.5"],
      ["luma", "ray-2"],
    ],
  },
  "twin-image": {
    kind: "image",
    routes: [
      ["bfl", "flux-2-pro"],
      ["stability", "core"],
    ],
  },
  "twin-music": {
    kind: "music",
    routes: [
      ["suno-relay", "chirp-v4"],
      ["sunoapi", "V4_5"],
    ],
  },
};

function sharedOffers(): Offer[] {
  return Object.entries(shared).flatMap(([name, { kind, routes, only }]) => {
    const behind = routes.flatMap(([type]) => dialects.find((dialect) => dialect.type === type) ?? []);
    const [first] = routes;
    const sample = behind[0] && [...plainSamples(behind[0])].find(({ work, model }) => work.kind === kind && model === first?.[1]);
    const work: MediaInput | undefined = sample?.work ?? (kind === "image" ? drawing : undefined);
    return work === undefined ? [] : [offerOf(name, work, behind, only === undefined ? {} : { only })];
  });
}

const drawing: MediaInput = { kind: "image", input: { act: "generate", prompt: "a lighthouse", images: [], count: 4, grid: true } };

function offerOf(model: string, work: MediaInput, behind: readonly Dialect[], more: Pick<Offer, "only">): Offer {
  const entry = behind[0]?.models.find(({ kind }) => kind === work.kind);
  const [, unit = "per_call", usd = "0.05"] = /^(\w+): ([\d.]+)$/.exec(entry?.price ?? "") ?? [];
  const instant = behind.some((dialect) => isInstant(dialect, work.kind));
  return { model, work, dialects: behind, price: { unit, nanos: Math.round(Number(usd) * 1e9) }, instant, ...more };
}

function plainSamples({ samples }: Dialect): { model: string; work: MediaInput }[] {
  return samples.flatMap((sample) => {
    const work = plainWork(sample);
    return work === null ? [] : [{ model: sample.model, work }];
  });
}

function plainWork({ kind, input }: Sample): MediaInput | null {
  if (kind === "video") return input.source === undefined ? { kind, input } : null;
  if (kind === "image") return input.act === "generate" && input.images.length === 0 ? { kind, input } : null;
  if (kind === "music") return input.continues === undefined ? { kind, input } : null;
  return kind === "lyrics" ? { kind, input } : null;
}

/** What an order of this offer costs. */
export function priceOf({ work, price }: Offer): number {
  const quantity =
    price.unit === "per_second" && work.kind === "video"
      ? work.input.durationSeconds
      : price.unit === "per_image" && work.kind === "image"
        ? work.input.count
        : 1;
  return Math.ceil(price.nanos * quantity);
}

/** The configuration that puts all offers behind one gateway: no limit but the gateway's own. */
export function configurationOf(lab: Pick<Lab, "baseUrl">, offers: readonly Offer[]): string {
  const { providers } = parse(describeConfiguration(lab, "lab-key")) as { providers: Record<string, object> };
  const wide = Object.entries(providers).map(([name, entry]) => [name, { ...entry, limits: { concurrent: 1_000, per_minute: 1_000_000 } }]);
  const models: Record<string, Entry> = {};
  for (const { model, work, price, dialects: behind } of offers) {
    const routes = shared[model]?.routes ?? behind.map(({ type }) => [type, model.slice(`${type}/${work.kind}/`.length)] as const);
    models[model] ??= {
      kinds: [work.kind],
      // Lyrics have no model of their own: every upstream gets its share.
      routes: routes.map(([provider, name], place) => ({ provider, model: name, ...(model !== "lyrics" && { priority: place }) })),
      price: { [price.unit]: price.nanos / 1e9 },
    };
  }
  const deadline = Object.fromEntries(mediaKinds.map((kind) => [kind, "6m"]));
  return stringify({ providers: Object.fromEntries(wide), models, tasks: { deadline } });
}
