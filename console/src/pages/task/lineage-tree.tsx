import { useQuery } from "@tanstack/react-query";
import { Link } from "wouter";
import { client, read, sameOrigin } from "../../api/client.ts";
import { t } from "../../i18n/translate.ts";
import { Badge, StatusBadge } from "../../ui/badge.tsx";
import { Time } from "../../ui/figures.tsx";
import { Icon } from "../../ui/icon.tsx";
import { branchesOf, type Branch } from "./lineage.ts";
import { kindIcon, nameOf, relationName, thumbnailOf } from "./task-words.ts";
import "./lineage.css";

type LineageProps = {
  id: string;
  /** The account that the task is of, where it is not the chosen one. */
  account?: string;
  linkTo: (id: string) => string;
};

/** What a task comes from and what came of it, drawn as a tree; nothing when it stands alone. */
export function Lineage({ id, account, linkTo }: LineageProps) {
  const headers = account === undefined ? {} : { "x-genway-account": account };
  const query = useQuery({
    queryKey: ["task", id, "lineage"],
    queryFn: () => read(client.GET("/v1/tasks/{id}/lineage", { params: { path: { id } }, headers })),
  });
  const tasks = query.data?.data ?? [];
  if (tasks.length < 2) return null;
  return (
    <section className="stack stack--s" aria-label={t("task.lineage")}>
      <h2>{t("task.lineage")}</h2>
      <Branches branches={branchesOf(tasks)} current={id} linkTo={linkTo} />
      {query.data?.has_more && <p className="small muted">{t("task.lineageCut", { n: tasks.length })}</p>}
    </section>
  );
}

function Branches({ branches, current, linkTo }: { branches: readonly Branch[]; current: string; linkTo: (id: string) => string }) {
  return (
    <ul className="lineage">
      {branches.map(({ task, children }) => (
        <li key={task.id} className="lineage__branch">
          <Node task={task} isCurrent={task.id === current} to={linkTo(task.id)} />
          {children.length > 0 && <Branches branches={children} current={current} linkTo={linkTo} />}
        </li>
      ))}
    </ul>
  );
}

function Node({ task, isCurrent, to }: { task: Branch["task"]; isCurrent: boolean; to: string }) {
  const picture = thumbnailOf(task);
  return (
    <Link href={to} className="lineage__node" aria-current={isCurrent ? "true" : undefined}>
      <span className="lineage__picture">
        {picture === "" ? <Icon name={kindIcon(task.kind)} /> : <img src={sameOrigin(picture)} alt="" loading="lazy" />}
      </span>
      <span className="lineage__words">
        <span className="truncate" title={nameOf(task)}>
          {nameOf(task)}
        </span>
        <span className="row small muted">
          {task.parent !== null && <Badge tone="accent">{relationName(task.parent.relation)}</Badge>}
          {task.status !== "SUCCESS" && <StatusBadge status={task.status} />}
          <span className="truncate lineage__model">{task.model}</span>
          <Time at={task.created_at} />
        </span>
      </span>
    </Link>
  );
}
