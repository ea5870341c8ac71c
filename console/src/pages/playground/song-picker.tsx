import { useQuery } from "@tanstack/react-query";
import { client, read } from "../../api/client.ts";
import { madeOf } from "../../api/task-result.ts";
import { useSeat } from "../../app/session.tsx";
import { t } from "../../i18n/translate.ts";
import { Field, Select } from "../../ui/field.tsx";
import { formatClock } from "../../ui/figures.tsx";
import { setValue } from "./form-store.ts";
import type { Way } from "./ways.ts";

/** The song to go on from: one of those made lately. */
export function SongPicker({ way, label, error, value }: { way: Way; label: string; error: string | null; value: string }) {
  const { account } = useSeat();
  const songs = useQuery({
    queryKey: ["tasks", account?.id, "songs"],
    queryFn: () => read(client.GET("/v1/tasks", { params: { query: { kind: "music", status: "SUCCESS", limit: "50" } } })),
  });
  const found = (songs.data?.data ?? []).flatMap((task) => {
    const made = madeOf(task);
    return made?.kind === "music" ? made.songs.map((song) => ({ ...song, task: task.id })) : [];
  });
  const listed = found.map(({ id, title, duration }) => ({ value: id, label: `${title || t("ui.untitled")} · ${formatClock(duration)}` }));
  // One that was made before those has no more than its name.
  const missing = { value, label: songs.isFetching ? t("ui.loading") : value };
  const options = value === "" || found.some(({ id }) => id === value) ? listed : [missing, ...listed];
  const choose = (id: string) => {
    setValue(way, "continue_clip_id", id);
    setValue(way, "task_id", found.find((song) => song.id === id)?.task ?? "");
  };
  const hint = songs.isSuccess && found.length === 0 ? t("playground.noSongs") : t("playground.hint.continue_clip_id");
  return (
    <Field label={label} hint={hint} error={error}>
      <Select value={value} onChange={choose} options={[{ value: "", label: t("playground.chooseSong") }, ...options]} />
    </Field>
  );
}
