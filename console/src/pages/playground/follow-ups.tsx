import { useMemo, useState, type ReactNode } from "react";
import { useLocation } from "wouter";
import { asApiError } from "../../api/api-error.ts";
import { sameOrigin } from "../../api/client.ts";
import type { Made } from "../../api/task-result.ts";
import { t } from "../../i18n/translate.ts";
import { Button } from "../../ui/button.tsx";
import { Dialog } from "../../ui/dialog.tsx";
import { Field, TextArea } from "../../ui/field.tsx";
import type { IconName } from "../../ui/icon.tsx";
import type { OutputActions } from "../../ui/task-output.tsx";
import { toast } from "../../ui/toast.tsx";
import { fillForm } from "./form-store.ts";
import type { Column, Run } from "./run-store.ts";
import { startRun } from "./start-run.ts";
import { wayAt, wayLink, type Way } from "./ways.ts";

/** What can be done next with a result: go on from a song, sing lyrics, enlarge or vary pictures, remix a video. */
export function useFollowUps(run: Run, { taskId }: Column): OutputActions {
  const [, go] = useLocation();
  return useMemo(() => {
    if (taskId === null) return {};
    const open = (way: Way, values: Record<string, string | File>) => {
      fillForm(way, values);
      go(wayLink(way));
    };
    const openWith = (way: Way, name: string, url: string) => {
      fileAt(url).then(
        (file) => open(way, { [name]: file }),
        (error: unknown) => toast(asApiError(error).message, "bad"),
      );
    };
    const change = (action: "UPSCALE" | "VARIATION", index: number) => {
      const body = { taskId, action, index: index + 1 };
      const request = { path: "/imageA/submit/change", body, sends: "json" } as const;
      const prompt = `${t(action === "UPSCALE" ? "playground.upscale" : "playground.vary")} ${index + 1} · ${run.prompt}`;
      void startRun({ account: run.account, way: run.way, prompt, asked: [{ model: "", request }] });
    };
    return {
      song: (song) => (
        <Act
          icon="next"
          label={t("playground.continueSong")}
          onPress={() => open(wayAt("music", "continuation"), { continue_clip_id: song.id, task_id: taskId, tags: song.tags })}
        />
      ),
      picture: (picture, index, isGrid) =>
        isGrid ? (
          <div className="row run__picture">
            <Act icon="zoom" label={t("playground.upscale")} onPress={() => change("UPSCALE", index)} />
            <Act icon="vary" label={t("playground.vary")} onPress={() => change("VARIATION", index)} />
          </div>
        ) : (
          <div className="row run__picture">
            <Act icon="sparkle" label={t("playground.edit")} onPress={() => openWith(wayAt("images", "edit"), "image", picture.url)} />
            <Act icon="vary" label={t("playground.vary")} onPress={() => openWith(wayAt("images", "variation"), "image", picture.url)} />
          </div>
        ),
      whole: (made) => wholeActions(made, { run, taskId, open, openWith }),
    };
  }, [run, taskId, go]);
}

type Wholes = {
  run: Run;
  taskId: string;
  open: (way: Way, values: Record<string, string>) => void;
  openWith: (way: Way, name: string, url: string) => void;
};

function wholeActions(made: Made, { run, taskId, open, openWith }: Wholes): ReactNode {
  if (made.kind === "lyrics") {
    const values = { title: made.title, prompt: made.text, tags: made.tags.join(", ") };
    return <Act icon="music" label={t("playground.singIt")} onPress={() => open(wayAt("music", "custom"), values)} />;
  }
  if (made.kind === "audio")
    return (
      <Act
        icon="transcript"
        label={t("playground.transcribe")}
        onPress={() => openWith(wayAt("transcription", undefined), "file", made.url)}
      />
    );
  return made.kind === "video" ? <Remix run={run} taskId={taskId} /> : null;
}

function Act({ icon, label, onPress }: { icon: IconName; label: string; onPress: () => void }) {
  return (
    <Button size="s" icon={icon} onClick={onPress}>
      {label}
    </Button>
  );
}

function Remix({ run, taskId }: { run: Run; taskId: string }) {
  const [prompt, setPrompt] = useState<string | null>(null);
  const start = () => {
    if (prompt === null || prompt.trim() === "") return;
    const request = { path: `/v1/videos/${taskId}/remix`, body: { prompt }, sends: "json" } as const;
    void startRun({ account: run.account, way: run.way, prompt, asked: [{ model: "", request }] });
    setPrompt(null);
  };
  return (
    <>
      <Act icon="vary" label={t("playground.remix")} onPress={() => setPrompt(run.prompt)} />
      {prompt !== null && (
        <Dialog
          title={t("playground.remixTitle")}
          onClose={() => setPrompt(null)}
          actions={
            <Button variant="primary" onClick={start}>
              {t("playground.remix")}
            </Button>
          }
        >
          <Field label={t("playground.field.prompt")} hint={t("playground.remixHint")}>
            <TextArea value={prompt} onChange={setPrompt} rows={4} />
          </Field>
        </Dialog>
      )}
    </>
  );
}

/** A result as a file, to be sent with the next form. */
async function fileAt(url: string): Promise<File> {
  const response = await fetch(sameOrigin(url));
  if (!response.ok) throw new Error(`HTTP ${response.status}`);
  const blob = await response.blob();
  const ending = blob.type.split("/")[1]?.split(";")[0]?.replace("mpeg", "mp3") ?? "bin";
  return new File([blob], `result.${ending}`, { type: blob.type });
}
