import { Type, type Static } from "typebox";
import type { Task } from "../../core/task.ts";
import type { AssetUrl } from "../asset-url.ts";
import { nullable } from "../wire.ts";

const Picture = Type.Object({
  url: Type.String(),
  prompt: Type.String(),
  resolution: Type.String(),
  seed: nullable(Type.Integer()),
  is_image_safe: Type.Boolean(),
  style_type: Type.String(),
});

export const IdeogramReply = Type.Object({
  created: Type.String(),
  task_id: Type.String(),
  status: Type.String({ description: "SUCCESS, unless the reply was wanted before the end" }),
  data: Type.Optional(Type.Array(Picture)),
  descriptions: Type.Optional(Type.Array(Type.Object({ text: Type.String() }))),
});

/** A task of pictures as Ideogram's clients know it: what was made, or what a picture shows. */
export function ideogramReply(task: Task, url: AssetUrl): Static<typeof IdeogramReply> {
  const { id, status, createdAt } = task;
  const input = task.kind === "image" ? task.input : null;
  const result = task.result?.kind === "image" ? task.result : null;
  const head = { created: new Date(createdAt).toISOString(), task_id: id, status };
  if (input?.act === "describe") return { ...head, descriptions: (result?.texts ?? []).map((text) => ({ text })) };
  const data = (result?.pictures ?? []).map(({ image, prompt, seed, width, height }) => ({
    url: url(image),
    prompt: prompt ?? input?.prompt ?? "",
    resolution: width > 0 ? `${width}x${height}` : "",
    seed: seed ?? input?.seed ?? null,
    is_image_safe: true,
    style_type: String(input?.extras?.["style_type"] ?? "AUTO"),
  }));
  return { ...head, data };
}
