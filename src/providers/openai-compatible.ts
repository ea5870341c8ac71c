import type { CallOperation } from "../core/call.ts";
import type { Adapter } from "../core/provider.ts";
import type { CallSpec, OperationSpec } from "./call/spec.ts";
import { createCallAdapter } from "./call/call.ts";
import { bend, type FieldQuirk } from "./call/field-quirk.ts";

/** Where the operations of this dialect lie under a base URL. */
export const openAiPaths = {
  completion: "/completions",
  chat: "/chat/completions",
  responses: "/responses",
  embedding: "/embeddings",
  moderation: "/moderations",
  rerank: "/rerank",
  image: "/images/generations",
  "image-edit": "/images/edits",
  "image-variation": "/images/variations",
  speech: "/audio/speech",
  transcription: "/audio/transcriptions",
  translation: "/audio/translations",
} as const satisfies Partial<Record<CallOperation, string>>;

export type OpenAiOperation = keyof typeof openAiPaths;

/** One upstream of the dialect: its address, what it offers, and where it departs from the dialect. */
export type OpenAiVendor = Pick<CallSpec, "type" | "baseUrl" | "auth" | "keyOptional" | "headers"> & {
  offers: readonly OpenAiOperation[];
  quirks?: { readonly [O in OpenAiOperation]?: FieldQuirk };
  /** What an operation needs beyond its quirk; counts instead of the usual description. */
  changes?: { readonly [O in OpenAiOperation]?: Partial<OperationSpec> };
};

/** The description of an upstream of this dialect, as the engine of calls takes it. */
export function openAiSpec({ offers, quirks = {}, changes = {}, ...rest }: OpenAiVendor): CallSpec {
  const operations = offers.map((name): [OpenAiOperation, OperationSpec] => [
    name,
    { ...plainOperation(name, quirks[name]), ...changes[name] },
  ]);
  return { ...rest, operations: Object.fromEntries(operations) };
}

/** Makes the adapter of one upstream of this dialect. */
export function createOpenAiAdapter(vendor: OpenAiVendor): Adapter {
  return createCallAdapter(openAiSpec(vendor));
}

/** Any upstream of the dialect; `responses` is left out because few have it, and the gateway itself turns it into `chat`. */
export const openAiCompatible = createOpenAiAdapter({
  type: "openai-compatible",
  keyOptional: true,
  offers: [
    "completion",
    "chat",
    "embedding",
    "moderation",
    "rerank",
    "image",
    "image-edit",
    "image-variation",
    "speech",
    "transcription",
    "translation",
  ],
});

function plainOperation(name: OpenAiOperation, quirk: FieldQuirk | undefined): OperationSpec {
  return {
    path: openAiPaths[name],
    ...(name === "speech" && { returns: "media", headers: { accept: "*/*" } }),
    // Without a change to make, the client's own bytes go on as they are.
    ...(quirk && { adjust: (body) => bend(body, quirk) }),
  };
}
