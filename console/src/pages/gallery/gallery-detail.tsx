import { useEffect } from "react";
import { useTask } from "../../api/use-task.ts";
import type { Task } from "../../api/tasks.ts";
import { useSeat } from "../../app/session.tsx";
import { t } from "../../i18n/translate.ts";
import { IconButton, LinkButton } from "../../ui/button.tsx";
import { CopyButton } from "../../ui/copy-button.tsx";
import { Dialog } from "../../ui/dialog.tsx";
import { formatDuration, Money, Time } from "../../ui/figures.tsx";
import { Skeleton } from "../../ui/progress.tsx";
import { Facts } from "../../ui/stat.tsx";
import { ErrorState } from "../../ui/states.tsx";
import { TaskOutput } from "../../ui/task-output.tsx";
import { Lineage } from "../task/lineage-tree.tsx";
import { DeleteTask, RunAgain } from "../task/task-actions.tsx";
import { kindName, nameOf, secondsTaken } from "../task/task-words.ts";

type DetailProps = {
  id: string;
  /** What comes before and after it in the gallery. */
  order: readonly { id: string }[];
  onOpen: (id: string) => void;
  onClose: () => void;
  onDeleted: () => void;
};

/** One thing made, whole: to play, look at, save, make again or delete; arrow keys go to its neighbours. */
export function GalleryDetail({ id, order, onOpen, onClose, onDeleted }: DetailProps) {
  const { canWrite } = useSeat();
  const { data: task, error, refetch } = useTask(id);
  const at = order.findIndex((each) => each.id === id);
  const before = at > 0 ? order[at - 1]?.id : undefined;
  const after = at === -1 ? undefined : order[at + 1]?.id;
  useArrows(before, after, onOpen);
  return (
    <Dialog
      title={task === undefined ? t("ui.loading") : titleOf(task)}
      size="l"
      onClose={onClose}
      actions={
        <>
          <span className="row grow">
            <IconButton
              className="gallery-previous"
              icon="chevron"
              label={t("gallery.previous")}
              disabled={before === undefined}
              onClick={() => before && onOpen(before)}
            />
            <IconButton
              className="gallery-next"
              icon="chevron"
              label={t("gallery.next")}
              disabled={after === undefined}
              onClick={() => after && onOpen(after)}
            />
          </span>
          <LinkButton to={`/tasks/${id}`} icon="tasks">
            {t("gallery.details")}
          </LinkButton>
          {canWrite && task && <RunAgain task={task} />}
          {canWrite && task && (
            <DeleteTask
              id={id}
              onDeleted={() => {
                onDeleted();
                onClose();
              }}
            />
          )}
        </>
      }
    >
      <div className="stack gallery-detail">
        {error !== null && task === undefined && <ErrorState error={error} onRetry={() => void refetch()} />}
        {error === null && task === undefined && <Skeleton width="100%" height="16rem" />}
        {task && <Whole task={task} />}
      </div>
    </Dialog>
  );
}

/** Arrow keys open the neighbours, except where they already mean something: in players, fields and whatever lies above. */
function useArrows(before: string | undefined, after: string | undefined, onOpen: (id: string) => void): void {
  useEffect(() => {
    const onKey = (event: KeyboardEvent) => {
      const next = event.key === "ArrowLeft" ? before : event.key === "ArrowRight" ? after : undefined;
      const isTaken = event.target instanceof HTMLInputElement || event.target instanceof HTMLVideoElement;
      if (next === undefined || isTaken || document.querySelectorAll("dialog[open]").length > 1) return;
      onOpen(next);
    };
    document.addEventListener("keydown", onKey);
    return () => document.removeEventListener("keydown", onKey);
  }, [before, after, onOpen]);
}

function Whole({ task }: { task: Task }) {
  const took = secondsTaken(task);
  return (
    <>
      <div className="gallery-detail__columns">
        <TaskOutput task={task} />
        <div className="stack">
          {task.prompt !== "" && (
            <section className="stack stack--s">
              <div className="row row--between">
                <h2>{t("gallery.prompt")}</h2>
                <CopyButton text={task.prompt} />
              </div>
              <p className="prewrap gallery-detail__prompt">{task.prompt}</p>
            </section>
          )}
          <Facts
            facts={[
              { name: t("task.kind"), value: kindName(task.kind) },
              { name: t("task.model"), value: task.model },
              { name: t("task.created"), value: <Time at={task.created_at} /> },
              ...(took === null ? [] : [{ name: t("task.took"), value: took < 1 ? "< 1 s" : formatDuration(took) }]),
              { name: t("task.cost"), value: <Money usd={task.cost_usd} /> },
              ...(task.assets[0] ? [{ name: t("task.keptUntil"), value: <Time at={task.assets[0].expires_at} /> }] : []),
            ]}
          />
        </div>
      </div>
      <Lineage id={task.id} linkTo={(id) => `/gallery?task=${id}`} />
    </>
  );
}

const longest = 70;

function titleOf(task: Task): string {
  const name = nameOf(task);
  return name.length > longest ? `${name.slice(0, longest)}…` : name;
}
