import type { MediaInput, MediaKind } from "../src/core/kinds.ts";
import type { JobSpec, Start } from "../src/providers/job/spec.ts";

/** What of a request an upstream is sent, in the words of the pages: by kind, in the order of the table below. */
export function sentFields({ start }: JobSpec, kind: MediaKind): { named: string[]; further: string[]; all: boolean } {
  const paths = new Set(start.filter((way) => way.kind === kind).flatMap(pathsOf));
  const named = Object.entries(words[kind]).filter(([name]) => [...paths].some((path) => path === name || path.startsWith(`${name}.`)));
  const further = [...paths].flatMap((path) => (path.startsWith("extras.") ? [path.slice("extras.".length)] : []));
  return { named: named.map(([, word]) => word), further: further.toSorted(), all: paths.has("extras") };
}

const words: Record<MediaKind, Readonly<Record<string, string>>> = {
  video: {
    prompt: "prompt",
    negativePrompt: "negative prompt",
    image: "first frame",
    lastImage: "last frame",
    source: "the video to go on from",
    durationSeconds: "duration",
    aspectRatio: "aspect ratio",
    resolution: "resolution",
    seed: "seed",
    loop: "loop",
  },
  image: {
    prompt: "prompt",
    negativePrompt: "negative prompt",
    images: "pictures",
    mask: "mask",
    source: "the pictures to go on from",
    count: "number of pictures",
    size: "size in pixels",
    aspectRatio: "aspect ratio",
    strength: "strength",
    seed: "seed",
  },
  music: {
    description: "description",
    lyrics: "lyrics",
    title: "title",
    tags: "style",
    instrumental: "instrumental",
    continues: "the song to continue",
    seed: "seed",
  },
  lyrics: { prompt: "prompt" },
};

/** Every path of the input that a way reads, without "input." and places in lists. */
function pathsOf({ when: _when, build, ...way }: Start): string[] {
  const built = build === undefined ? [] : readBy(build, way.kind);
  return [...pathsIn(way), ...built].map((path) => path.replaceAll(/\[\d*\]/g, ""));
}

function pathsIn(value: unknown): string[] {
  if (typeof value === "string") return Array.from(value.matchAll(/(?:^|\{\+?)input\.([\w.[\]]+)/g), ([, path = ""]) => path);
  if (Array.isArray(value)) return value.flatMap(pathsIn);
  if (typeof value !== "object" || value === null || isAbsence(value)) return [];
  return Object.values(value).flatMap(pathsIn);
}

// That something is not there does not mean that it is sent.
function isAbsence(value: object): boolean {
  return "exists" in value && value.exists === false;
}

/** What a body that is made by code looks at, seen by giving it a job that takes notes. */
function readBy(build: NonNullable<Start["build"]>, kind: MediaKind): string[] {
  const seen: string[] = [];
  try {
    build(withNotes({ ...samples[kind], model: "m", taskId: "t", attempt: 1, idempotencyKey: "t-1" }, "", seen), {
      prepared: {},
      options: {},
    });
  } catch {
    // A way whose body is a refusal sends nothing.
    return [];
  }
  return seen.flatMap((path) => (path.startsWith("input.") ? [path.slice("input.".length)] : [])).filter((path) => path !== "extras");
}

function withNotes<T extends object>(given: T, before: string, seen: string[]): T {
  return new Proxy(given, {
    get(target, name) {
      const value: unknown = Reflect.get(target, name);
      if (typeof name !== "string") return value;
      seen.push(before + name);
      const goesOn = (name === "input" || name === "extras") && typeof value === "object" && value !== null;
      return goesOn ? withNotes(value, `${before}${name}.`, seen) : value;
    },
  });
}

const aspectRatio = { width: 16, height: 9 };
const song = { title: "", tags: "", lyrics: "", durationSeconds: 60, seed: null };
const continues = {
  taskId: "",
  songId: "",
  songIndex: 0,
  upstreamTaskId: "",
  upstreamSongId: "",
  atSeconds: 1,
  direction: "after",
  song,
} as const;
const samples: Record<MediaKind, MediaInput> = {
  video: { kind: "video", input: { prompt: "", durationSeconds: 5, aspectRatio, extras: {} } },
  image: { kind: "image", input: { act: "generate", prompt: "", images: [], count: 1, grid: false, aspectRatio, extras: {} } },
  music: { kind: "music", input: { mode: "continuation", instrumental: false, extras: {}, continues } },
  lyrics: { kind: "lyrics", input: { prompt: "" } },
};
