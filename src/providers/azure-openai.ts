import { createCallAdapter } from "./call/call.ts";
import { pathSegment } from "./call/path-segment.ts";
import type { OperationSpec } from "./call/spec.ts";
import { openAiPaths, type OpenAiOperation } from "./openai-compatible.ts";

const stable = "2024-10-21";
// Speech has not come into a stable version yet.
const preview = "2025-03-01-preview";

/** A resource of Azure OpenAI: a model is the name of a deployment there. */
export const azureOpenAi = createCallAdapter({
  type: "azure-openai",
  auth: { header: "api-key" },
  probe: `/openai/models?api-version=${stable}`,
  operations: {
    chat: operation("chat"),
    completion: operation("completion"),
    embedding: operation("embedding"),
    image: operation("image"),
    speech: { ...operation("speech", preview), returns: "media", headers: { accept: "*/*" } },
    transcription: operation("transcription"),
    translation: operation("translation"),
  },
});

function operation(name: OpenAiOperation, version = stable): OperationSpec {
  return { path: ({ model }) => `/openai/deployments/${pathSegment(model, "model")}${openAiPaths[name]}?api-version=${version}` };
}
