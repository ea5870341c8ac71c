import type { Bridge } from "../bridge.ts";
import { chatReply } from "./reply.ts";
import { messagesRequest } from "./request.ts";
import { ChatStream } from "./stream.ts";
import type { Mint } from "../mint.ts";

/** Serves OpenAI's chat through a provider that speaks Anthropic's Messages. */
export function chatToMessages(mint: Mint): Bridge {
  return {
    from: "chat",
    to: "messages",
    request: messagesRequest,
    reply: (value, asked) => chatReply(value, asked, mint),
    stream: (asked) => new ChatStream(asked, mint),
  };
}
