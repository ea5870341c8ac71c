import type { Bridge } from "../bridge.ts";
import { messagesReply } from "./reply.ts";
import { chatRequest } from "./request.ts";
import { MessagesStream } from "./stream.ts";
import type { Mint } from "../mint.ts";

/** Serves Anthropic's Messages through a provider that speaks OpenAI's chat. */
export function messagesToChat(mint: Mint): Bridge {
  return {
    from: "messages",
    to: "chat",
    request: chatRequest,
    reply: (value, asked) => messagesReply(value, asked, mint),
    stream: (asked) => new MessagesStream(asked, mint),
  };
}
