export type OrderWire = "chat" | "completion" | "messages";

/** How a call is meant to end. */
export type Plan =
  | { is: "complete" }
  /** The client leaves when it has read so many words, at which the upstream falls silent. */
  | { is: "leave"; words: number }
  /** The client leaves before there is anything to read. */
  | { is: "leave early"; afterMs: number }
  /** The upstream breaks off or refuses. */
  | { is: "fault" };

/** One call: who makes it, and the request. */
export type Order = { n: number; account: number; key: number; wire: OrderWire; stream: boolean; plan: Plan; path: string; body: object };

export type OrderOptions = { count: number; accounts: number; keys: number; random: () => number };

/** Calls of every kind, each with its number and account in the prompt, so that the lab's book can be told apart. */
export function makeOrders({ count, accounts, keys, random }: OrderOptions): Order[] {
  const pick = <T>(list: readonly T[]): T => list[Math.floor(random() * list.length)] ?? (list[0] as T);
  return Array.from({ length: count }, (_none, n) => {
    const account = Math.floor(random() * accounts);
    const wire = pick<OrderWire>(["chat", "chat", "completion", "messages"]);
    const stream = random() < 0.6;
    const { plan, marks } = stream ? streamPlan(random, pick) : wholePlan(random, pick);
    const prompt = `order ${n} of ${account}: ${pick(subjects)} ${marks}`;
    return { n, account, key: Math.floor(random() * keys), wire, stream, plan, ...requestOf(wire, prompt, stream) };
  });
}

/** The number of the order and of its account in a prompt that the lab saw. */
export function orderIn(prompt: string): { n: number; account: number } | null {
  const [, n, account] = /^order (\d+) of (\d+):/.exec(prompt) ?? [];
  return n === undefined ? null : { n: Number(n), account: Number(account) };
}

const subjects = ["tell me of the sea", "what is a fox?", "naïve café 東京 😀", '{ "not": json }', "a b c d e f g h i j k l m n"];

type Drawn = { plan: Plan; marks: string };
type Pick = <T>(list: readonly T[]) => T;

function streamPlan(random: () => number, pick: Pick): Drawn {
  const roll = random();
  const words = 1 + Math.floor(random() * 60);
  if (roll < 0.25) return { plan: { is: "leave", words }, marks: `[lab:tokens=${words + 20}] [lab:hold=${words}]` };
  if (roll < 0.3) return { plan: { is: "leave early", afterMs: 20 + random() * 300 }, marks: "[lab:delay=30000]" };
  if (roll < 0.45) {
    const marks = [`[lab:cut=${words}] [lab:tokens=80]`, `[lab:error=${words}] [lab:tokens=80]`, "[lab:truncated]"];
    return { plan: { is: "fault" }, marks: pick(marks) };
  }
  if (roll < 0.5) return refused(pick, passing);
  const form = pick(["", "", "", "[lab:no-usage]", "[lab:late-usage]", "[lab:split]", "[lab:crlf]", "[lab:unicode]", "[lab:pace=5]"]);
  return { plan: { is: "complete" }, marks: `[lab:tokens=${words}] ${form}` };
}

function wholePlan(random: () => number, pick: Pick): Drawn {
  const roll = random();
  const words = 1 + Math.floor(random() * 200);
  if (roll < 0.05) return { plan: { is: "leave early", afterMs: 20 + random() * 300 }, marks: "[lab:delay=30000]" };
  if (roll < 0.1) return refused(pick, [...passing, "truncated x1"]);
  return { plan: { is: "complete" }, marks: `[lab:tokens=${words}] ${pick(["", "", "", "[lab:no-usage]", "[lab:delay=40]"])}` };
}

const passing = ["429=1 x1", "500 x1", "reset x1", "html x1"];
const lasting = ["500", "html", "refuse=context", "refuse=content_policy"];

// Those that pass are tried again, and then the reply counts.
function refused(pick: Pick, first: readonly string[]): Drawn {
  const mark = pick([...first, ...lasting]);
  return { plan: { is: lasting.includes(mark) ? "fault" : "complete" }, marks: `[lab:${mark}]` };
}

function requestOf(wire: OrderWire, prompt: string, stream: boolean): { path: string; body: object } {
  const messages = [{ role: "user", content: prompt }];
  if (wire === "completion") return { path: "/v1/completions", body: { model: "lab-chat", prompt, stream, max_tokens: 300 } };
  if (wire === "chat") return { path: "/v1/chat/completions", body: { model: "lab-chat", messages, stream, max_tokens: 300 } };
  return { path: "/v1/messages", body: { model: "claude-lab", messages, stream, max_tokens: 300 } };
}
