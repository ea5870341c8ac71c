/** What a client wants, and how it is asked for. */
export type Order = {
  n: number;
  /** Stands in the prompt, so that the lab's jobs can be counted by it. */
  mark: string;
  customer: 0 | 1;
  path: string;
  body: Record<string, unknown>;
  idempotencyKey: string;
  hook: "plain" | "event" | null;
  /** The client changes its mind some time after the order was accepted. */
  cancels: boolean;
  /** The place of the task's id in the reply. */
  idAt: "id" | "task_id" | "data";
};

export type OrderNeeds = { count: number; seed: number; random: () => number; hookUrl: (n: number) => string };

const hookNames = { plain: "notify_hook", event: "callback_url" };

/** The orders of one run: mostly work for the lab, some for the built-in provider, half of them with a webhook. */
export function makeOrders({ count, seed, random, hookUrl }: OrderNeeds): Order[] {
  return Array.from({ length: count }, (_, n) => {
    const mark = `<order ${seed}-${n}>`;
    // The lab answers some of them byte by byte, so that kills fall between a job and its answer.
    const words = random() < 0.2 ? `${mark} [lab:drip=3]` : `${mark} rain`;
    const roll = random();
    const hook = random() < 0.5 ? null : random() < 0.5 ? "plain" : "event";
    const order = roll < 0.32 ? song(words, random) : roll < 0.57 ? lyrics(words) : roll < 0.94 ? labVideo(words, random) : ownVideo(words);
    return {
      ...order,
      body: { ...order.body, ...(hook === null ? {} : { [hookNames[hook]]: hookUrl(n) }) },
      n,
      mark,
      hook,
      customer: random() < 0.7 ? 0 : 1,
      idempotencyKey: `key ${seed}-${n}`,
      cancels: random() < 0.05,
    };
  });
}

type Ask = Pick<Order, "path" | "body" | "idAt">;

function song(words: string, random: () => number): Ask {
  const wish = random() < 0.5 ? { gpt_description_prompt: words } : { prompt: words, title: "Rain", tags: "folk" };
  return { path: "/musicA/submit/music", body: { ...wish, mv: "chirp-v4" }, idAt: "task_id" };
}

function lyrics(words: string): Ask {
  return { path: "/musicA/submit/lyrics", body: { prompt: words }, idAt: "data" };
}

function labVideo(words: string, random: () => number): Ask {
  return { path: "/custom_video/model/gen4.5", body: { prompt: words, duration: 2 + Math.floor(random() * 4) }, idAt: "id" };
}

function ownVideo(words: string): Ask {
  return { path: "/custom_video/model/home-video", body: { prompt: words, duration: 1 }, idAt: "id" };
}

/** The configuration that the orders need: the lab behind two providers, the built-in one beside them. */
export function configurationFor(lab: { baseUrl(type: string): string }, storeUrl: string | null): string {
  return `
providers:
  songs: { type: suno-relay, base_url: "${lab.baseUrl("suno-relay")}", keys: [lab-key], allow_private_network: true }
  films: { type: runway, base_url: "${lab.baseUrl("runway")}", keys: [lab-key], allow_private_network: true, limits: { concurrent: 20 } }
models:
  "chirp-*": { kinds: [music], routes: [{ provider: songs }], price: { per_call: 0.10 } }
  lyrics: { kinds: [lyrics], routes: [{ provider: songs, weight: 2 }, { provider: local, weight: 1 }], price: { per_call: 0.01 } }
  gen4.5: { kinds: [video], routes: [{ provider: films }], price: { per_second: 0.12 } }
  home-video: { kinds: [video], routes: [{ provider: local }], price: { per_second: 0.01 } }
local: true
tasks: { deadline: { video: 5d, music: 5d, lyrics: 5d } }
${storeUrl === null ? "" : `store: { url: "${storeUrl}" }`}
`;
}
