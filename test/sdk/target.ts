import OpenAI from "openai";
import type { Lab } from "../../lab/lab.ts";
import { startCallGateway } from "../support/call-gateway.ts";
import { startGateway } from "../support/gateway.ts";

type Use = "completion" | "chat" | "embedding" | "image" | "speech" | "transcription";

/** What a suite runs against: the service before the lab's upstreams, or before its own generators. */
export type Target = {
  name: TargetName;
  url: string;
  key: string;
  models: Record<Use, string>;
  /** Null where there is no upstream to look at. */
  lab: Lab | null;
  end(): Promise<void>;
};

const targetNames = ["lab", "local"] as const;
type TargetName = (typeof targetNames)[number];

const labModels: Target["models"] = {
  completion: "lab-chat",
  chat: "lab-chat",
  embedding: "lab-embed",
  image: "lab-image",
  speech: "lab-speech",
  transcription: "lab-transcription",
};

// Local mode answers under any name.
const localModels: Target["models"] = {
  completion: "any-writer",
  chat: "any-talker",
  embedding: "any-reader",
  image: "any-painter",
  speech: "any-voice",
  transcription: "any-ear",
};

export async function startTarget(name: TargetName): Promise<Target> {
  if (name === "lab") {
    const { lab, client, end } = await startCallGateway();
    return { name, url: client.url, key: client.key ?? "", models: labModels, lab, end };
  }
  const gateway = await startGateway();
  return { name, url: gateway.url, key: gateway.firstKey ?? "", models: localModels, lab: null, end: gateway.end };
}

/** Every target, all started before the first test has a name: a runner that has run all it knows of ends what they share. */
export async function startTargets(): Promise<Target[]> {
  const targets: Target[] = [];
  for (const name of targetNames) targets.push(await startTarget(name));
  return targets;
}

/** OpenAI's client with nothing changed but its address and key. */
export function openaiFor({ url, key }: Pick<Target, "url" | "key">, maxRetries = 0): OpenAI {
  return new OpenAI({ baseURL: `${url}/v1`, apiKey: key, maxRetries });
}
