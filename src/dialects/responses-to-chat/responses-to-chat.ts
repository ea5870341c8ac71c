import type { Bridge } from "../bridge.ts";
import type { Mint } from "../mint.ts";
import { responsesReply } from "./reply.ts";
import { chatRequest } from "./request.ts";
import { ResponsesStream } from "./stream.ts";

/** Serves OpenAI's Responses through a provider that speaks chat; nothing is kept between requests. */
export function responsesToChat(mint: Mint): Bridge {
  return {
    from: "responses",
    to: "chat",
    request: chatRequest,
    reply: (value, asked) => responsesReply(value, asked, mint),
    stream: (asked) => new ResponsesStream(asked, mint),
  };
}
