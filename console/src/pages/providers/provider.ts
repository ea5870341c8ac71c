import type { Reply } from "../../api/client.ts";

export type Provider = Reply<"/admin/v1/providers">["data"][number];
