import type { TaskInput } from "../../src/core/kinds.ts";
import { fitRoute } from "../../src/core/fit.ts";
import type { Catalog, Installed, Model } from "../../src/core/routing.ts";
import { mediaAdapters } from "../../src/providers/media/index.ts";

/** How an upstream behaves: what is not ours to decide, so that it is assumed and not measured. */
export type Upstream = {
  type: string;
  /** Keys of ours there, and how many jobs all of them may have at once for every million tasks a day of the fleet. */
  keys: number;
  slotsPerMillion: number;
  /** From its answer to the end of the job: half of them are faster. */
  medianMs: number;
  spread: number;
  /** How long it takes to answer a start; where the start answers with the result itself, that comes on top. */
  startMs: number;
  pollMs: number;
  resultMiB: number;
  /** Whether it says how far a job is, so that we write it down. */
  tellsProgress: boolean;
  /** Whether it can reach us with callbacks, where its adapter hears them. */
  callsBack: boolean;
  /** Shares of starts that are refused for a moment, that get no answer, of jobs that fail there, and that its rules forbid. */
  refused: number;
  unanswered: number;
  failed: number;
  forbidden: number;
};

const usual = { pollMs: 180, startMs: 700, refused: 0.01, unanswered: 0.0002, failed: 0.01, forbidden: 0.01, callsBack: false };

/** The upstreams of the fleet, by the name of their provider. */
export const upstreams: Record<string, Upstream> = {
  runway: { ...usual, type: "runway", keys: 4, slotsPerMillion: 235, medianMs: 75_000, spread: 0.45, resultMiB: 9, tellsProgress: true },
  luma: {
    ...usual,
    type: "luma",
    keys: 2,
    slotsPerMillion: 95,
    medianMs: 95_000,
    spread: 0.5,
    resultMiB: 12,
    tellsProgress: false,
    callsBack: true,
  },
  kling: { ...usual, type: "kling", keys: 4, slotsPerMillion: 450, medianMs: 170_000, spread: 0.5, resultMiB: 14, tellsProgress: false },
  sora: {
    ...usual,
    type: "openai-videos",
    keys: 2,
    slotsPerMillion: 200,
    medianMs: 140_000,
    spread: 0.4,
    resultMiB: 12,
    tellsProgress: true,
  },
  suno: { ...usual, type: "suno-relay", keys: 4, slotsPerMillion: 450, medianMs: 90_000, spread: 0.4, resultMiB: 7, tellsProgress: true },
  udio: { ...usual, type: "udio-relay", keys: 2, slotsPerMillion: 200, medianMs: 120_000, spread: 0.5, resultMiB: 8, tellsProgress: false },
  bfl: {
    ...usual,
    type: "bfl",
    keys: 4,
    slotsPerMillion: 60,
    medianMs: 7_000,
    spread: 0.4,
    resultMiB: 1.5,
    tellsProgress: false,
    callsBack: true,
  },
  fal: {
    ...usual,
    type: "fal",
    keys: 4,
    slotsPerMillion: 60,
    medianMs: 6_000,
    spread: 0.6,
    resultMiB: 1.5,
    tellsProgress: false,
    callsBack: true,
  },
  stability: {
    ...usual,
    type: "stability",
    keys: 2,
    slotsPerMillion: 25,
    medianMs: 8_000,
    spread: 0.3,
    resultMiB: 1.2,
    tellsProgress: false,
  },
  ideogram: {
    ...usual,
    type: "ideogram",
    keys: 2,
    slotsPerMillion: 30,
    medianMs: 10_000,
    spread: 0.3,
    resultMiB: 1.2,
    tellsProgress: false,
  },
};

type RouteRow = readonly [provider: string, model: string, priority: number, weight: number];
export type Offer = { name: string; /** Of all tasks. */ share: number; work: TaskInput; routes: readonly RouteRow[] };

const prompt = "a red fox in the snow";
const video: TaskInput = {
  kind: "video",
  input: { prompt, durationSeconds: 5, isDefaultDuration: true, aspectRatio: { width: 16, height: 9 } },
};
const song: TaskInput = { kind: "music", input: { mode: "inspiration", description: prompt, instrumental: false } };
const picture: TaskInput = { kind: "image", input: { act: "generate", prompt, images: [], count: 1, grid: false } };

/** What clients ask for, and where it is made: the second priority is asked when the first says no. */
export const offers: readonly Offer[] = [
  {
    name: "clip",
    share: 0.15,
    work: video,
    routes: [
      ["runway", "gen4.5", 1, 3],
      ["luma", "ray-2", 1, 1],
    ],
  },
  {
    name: "scene",
    share: 0.1,
    work: video,
    routes: [
      ["kling", "kling-2.6", 1, 1],
      ["sora", "sora-2", 2, 1],
    ],
  },
  {
    name: "song",
    share: 0.2,
    work: song,
    routes: [
      ["suno", "chirp-v4", 1, 1],
      ["udio", "udio-1.5", 2, 1],
    ],
  },
  {
    name: "picture",
    share: 0.4,
    work: picture,
    routes: [
      ["bfl", "flux-pro-1.1", 1, 1],
      ["fal", "fal-ai/flux/dev", 1, 1],
    ],
  },
  {
    name: "poster",
    share: 0.15,
    work: picture,
    routes: [
      ["stability", "core", 1, 1],
      ["ideogram", "V_3", 1, 1],
    ],
  },
];

/** The catalog of the fleet: real adapters, with the slots that its load asks for. */
export function createFleetCatalog(millionsPerDay: number): Catalog {
  const installed = new Map(Object.entries(upstreams).map(([name, upstream]) => [name, install(name, upstream, millionsPerDay)]));
  const models = new Map(offers.map((offer) => [offer.name, modelOf(offer)]));
  for (const offer of offers) checkRoutes(offer, installed);
  return {
    find: (_kind, name) => models.get(name) ?? null,
    list: () => offers.map(({ name, work }) => ({ name, kinds: [work.kind], price: {} })),
    provider: (name) => installed.get(name) ?? null,
    providers: () => [...installed.values()],
  };
}

function install(name: string, { type, keys, slotsPerMillion }: Upstream, millionsPerDay: number): Installed {
  const adapter = mediaAdapters.find((known) => known.type === type);
  if (adapter === undefined) throw new Error(`there is no adapter '${type}'`);
  return {
    name,
    provider: adapter.create({ name, baseUrl: "https://upstream.example", allowPrivateNetwork: false }),
    credentials: Array.from({ length: keys }, (_, index) => ({ id: `key-${index}`, secret: "" })),
    limits: { concurrent: Math.max(1, Math.round((slotsPerMillion * millionsPerDay) / keys)), perMinute: null },
    callLimits: { concurrent: null, perMinute: null },
    allowPrivateNetwork: false,
    perNode: false,
    off: false,
  };
}

function modelOf({ name, routes }: Offer): Model {
  return {
    name,
    price: {},
    routes: routes.map(([provider, model, priority, weight]) => ({ provider, model, priority, weight })),
    maxOutputTokens: null,
  };
}

// A route that does not fit would silently take no work.
function checkRoutes({ name, work, routes }: Offer, installed: ReadonlyMap<string, Installed>): void {
  for (const [provider, model] of routes) {
    const serves = installed.get(provider)?.provider.tasks?.serves[work.kind];
    const fit = serves === undefined ? { says: "it does not serve the kind" } : fitRoute(work, serves, model, undefined);
    if ("says" in fit) throw new Error(`'${provider}' cannot make '${name}': ${fit.says}`);
  }
}
