import type { Bridge } from "./bridge.ts";
import { chain } from "./bridge-chain.ts";
import { chatToMessages } from "./chat-to-messages/chat-to-messages.ts";
import { messagesToChat } from "./messages-to-chat/messages-to-chat.ts";
import { liveMint, type Mint } from "./mint.ts";
import { responsesToChat } from "./responses-to-chat/responses-to-chat.ts";

/** Every way between two dialects, with ids and time of one's own. */
export function createBridges(mint: Mint): readonly Bridge[] {
  const responses = responsesToChat(mint);
  const chat = chatToMessages(mint);
  return [chat, messagesToChat(mint), responses, chain(responses, chat)];
}

export const bridges: readonly Bridge[] = createBridges(liveMint);
