import type { Reply } from "../../api/client.ts";

/** Something that is wrong with a configuration file. */
export type Problem = Reply<"/admin/v1/config/validate", "post">["problems"][number];
