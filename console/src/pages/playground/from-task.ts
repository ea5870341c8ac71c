import { useEffect } from "react";
import { useLocation, useSearch } from "wouter";
import { asApiError } from "../../api/api-error.ts";
import { client, read } from "../../api/client.ts";
import { t } from "../../i18n/translate.ts";
import { toast } from "../../ui/toast.tsx";
import { fillForm } from "./form-store.ts";
import type { Values } from "./request.ts";
import { wayAt, wayLink, ways, type Way } from "./ways.ts";

/** Fills the form from the address: `?task=` with the request of a task, `?clip=` with a song to go on from. */
export function useFormFromAddress(): void {
  const search = useSearch();
  const [, go] = useLocation();
  useEffect(() => {
    const wanted = new URLSearchParams(search);
    const task = wanted.get("task");
    const clip = wanted.get("clip");
    if (clip !== null) {
      const way = wayAt("music", "continuation");
      fillForm(way, { continue_clip_id: clip, task_id: task ?? "" });
      go(wayLink(way), { replace: true });
    } else if (task !== null) {
      readTask(task).then(
        (way) => go(wayLink(way), { replace: true }),
        (error: unknown) => toast(asApiError(error).message, "bad"),
      );
    }
  }, [search, go]);
}

async function readTask(id: string): Promise<Way> {
  const { request } = await read(client.GET("/v1/tasks/{id}", { params: { path: { id } } }));
  const found = request && wayOf(request.path, Object(request.body));
  if (!request || !found) throw new Error(t("playground.noForm"));
  const { way, model } = found;
  const values: Record<string, string | boolean> = {};
  for (const [name, value] of Object.entries(Object(request.body))) {
    if (name in (way.fixed ?? {}) || name === way.modelField || value === null) continue;
    values[name] = typeof value === "boolean" ? value : typeof value === "object" ? JSON.stringify(value) : String(value);
  }
  fillForm(way, values satisfies Values, model === "" ? null : [model]);
  return way;
}

/** The form that makes a request, and the model that it names. */
export function wayOf(path: string, body: Readonly<Record<string, unknown>>): { way: Way; model: string } | null {
  const fitting = ways.filter((way) => new RegExp(`^${way.path.replaceAll("/", "\\/").replace("{model}", "([^/]+)")}$`).test(path));
  const way = fitting.find((each) => each.id === musicWay(body)) ?? fitting[0];
  if (way === undefined) return null;
  const inPath = way.path.includes("{model}") ? decodeURIComponent(path.split("/").at(-1) ?? "") : "";
  const inBody = way.modelField === null ? "" : body[way.modelField];
  return { way, model: typeof inBody === "string" && inBody !== "" ? inBody : inPath };
}

function musicWay(body: Readonly<Record<string, unknown>>): string {
  if (body["continue_clip_id"]) return "continuation";
  return body["gpt_description_prompt"] ? "inspiration" : "custom";
}
