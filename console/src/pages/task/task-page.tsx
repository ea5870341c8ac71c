import { useParams } from "wouter";
import { useTask } from "../../api/use-task.ts";
import { isFinal, type Task } from "../../api/tasks.ts";
import { useSeat } from "../../app/session.tsx";
import { t } from "../../i18n/translate.ts";
import { StatusBadge } from "../../ui/badge.tsx";
import { LinkButton } from "../../ui/button.tsx";
import { Icon } from "../../ui/icon.tsx";
import { Page } from "../../ui/page.tsx";
import { Progress, Skeleton } from "../../ui/progress.tsx";
import { ErrorState, Notice } from "../../ui/states.tsx";
import { TaskOutput } from "../../ui/task-output.tsx";
import { Lineage } from "./lineage-tree.tsx";
import { TaskActions } from "./task-actions.tsx";
import { TaskFacts, TaskMoney } from "./task-facts.tsx";
import { TaskRequest } from "./task-request.tsx";
import { useStory, type Story } from "./task-story.ts";
import { kindIcon, nameOf } from "./task-words.ts";
import { Timeline } from "./timeline.tsx";
import "./task.css";

/** One task: what it made, what happened to it and for how much. */
export function TaskPage() {
  const { isStaff } = useSeat();
  const { id = "" } = useParams();
  return isStaff ? <StaffTask key={id} id={id} /> : <ClientTask key={id} id={id} />;
}

function StaffTask({ id }: { id: string }) {
  const { data, error, refetch } = useStory(id);
  return <Loaded task={data} story={data ?? null} error={error} onRetry={() => void refetch()} />;
}

function ClientTask({ id }: { id: string }) {
  const { data, error, refetch } = useTask(id);
  return <Loaded task={data} story={null} error={error} onRetry={() => void refetch()} />;
}

type LoadedProps = { task: Task | undefined; story: Story | null; error: unknown; onRetry: () => void };

function Loaded({ task, story, error, onRetry }: LoadedProps) {
  if (task !== undefined) return <Whole task={task} story={story} />;
  return (
    <Page title={t("task.title")} actions={<LinkButton to="/tasks">{t("task.all")}</LinkButton>}>
      {error ? <ErrorState error={error} onRetry={onRetry} /> : <Waiting />}
    </Page>
  );
}

function Waiting() {
  return (
    <div className="task-columns" aria-busy="true">
      <div className="card stack">
        <Skeleton height="14rem" width="100%" />
        <Skeleton />
        <Skeleton width="40%" />
      </div>
      <div className="card stack">
        <Skeleton />
        <Skeleton width="50%" />
      </div>
    </div>
  );
}

function Whole({ task, story }: { task: Task; story: Story | null }) {
  const name = nameOf(task);
  const title = name.length > longest ? `${name.slice(0, longest)}…` : name;
  return (
    <Page
      title={title}
      hint={
        <span className="row">
          <span className="task-kind">
            <Icon name={kindIcon(task.kind)} />
          </span>
          <StatusBadge status={task.status} />
          <span>{task.model}</span>
        </span>
      }
      actions={<TaskActions task={task} story={story} />}
    >
      <div className="task-columns">
        <div className="stack">
          <Result task={task} />
          <section className="card stack" aria-labelledby="task-timeline">
            <h2 id="task-timeline">{t("task.timeline")}</h2>
            <Timeline task={task} story={story} />
          </section>
          <div className="task-lineage">
            <Lineage id={task.id} {...(story && { account: story.account })} linkTo={(id) => `/tasks/${id}`} />
          </div>
        </div>
        <div className="stack">
          <section className="card stack stack--s" aria-labelledby="task-facts">
            <h2 id="task-facts">{t("task.facts")}</h2>
            <TaskFacts task={task} story={story} />
          </section>
          <TaskMoney task={task} story={story} />
          <TaskRequest request={task.request} />
        </div>
      </div>
    </Page>
  );
}

const longest = 90;

function Result({ task }: { task: Task }) {
  return (
    <section className="card stack" aria-labelledby="task-result">
      <h2 id="task-result">{t("task.result")}</h2>
      {task.prompt !== "" && <p className="prewrap task-prompt">{task.prompt}</p>}
      {!isFinal(task.status) && (
        <div className="stack stack--s" aria-live="polite">
          <Progress value={task.status === "IN_PROGRESS" && task.progress > 0 ? task.progress : null} label={t("task.progress")} />
          <p className="small muted number">{task.progress > 0 ? t("task.progressAt", { n: task.progress }) : t("task.waiting")}</p>
        </div>
      )}
      {task.error !== null && (
        <Notice tone="bad">
          <div className="prewrap">{task.error.message}</div>
          <div className="small mono">{task.error.code}</div>
        </Notice>
      )}
      <TaskOutput task={task} />
      {task.note !== undefined && <Notice>{task.note}</Notice>}
    </section>
  );
}
