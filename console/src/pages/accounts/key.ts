import type { Reply } from "../../api/client.ts";

export type Key = Reply<"/admin/v1/keys">["data"][number];

/** What is being done with the keys of an account, in a dialog. */
export type KeyAct = { act: "create" } | { act: "limits" | "rotate" | "revoke"; of: Key } | { act: "shown"; text: string };
