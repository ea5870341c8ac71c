import { useQueryClient } from "@tanstack/react-query";
import { useState } from "react";
import { useLocation } from "wouter";
import { asApiError } from "../../api/api-error.ts";
import { client, read } from "../../api/client.ts";
import { isFinal, type Task } from "../../api/tasks.ts";
import { useSeat } from "../../app/session.tsx";
import { t } from "../../i18n/translate.ts";
import { Button } from "../../ui/button.tsx";
import { ConfirmDialog } from "../../ui/dialog.tsx";
import { toast } from "../../ui/toast.tsx";
import { wayOf } from "../playground/from-task.ts";
import { wayLink } from "../playground/ways.ts";
import type { Story } from "./task-story.ts";

/** What can be done with a task: cancelled while it runs; afterwards made again, as it was or with changes, and deleted. */
export function TaskActions({ task, story }: { task: Task; story: Story | null }) {
  const { canWrite } = useSeat();
  const [, go] = useLocation();
  if (!canWrite) return null;
  if (!isFinal(task.status)) return <Cancel id={task.id} isStaff={story !== null} />;
  return (
    <>
      <RunAgain task={task} owner={story?.account} />
      <RetryAsNew id={task.id} isStaff={story !== null} />
      <DeleteTask id={task.id} owner={story?.account} onDeleted={() => go("/tasks")} />
    </>
  );
}

function Cancel({ id, isStaff }: { id: string; isStaff: boolean }) {
  const cache = useQueryClient();
  const [isAsking, setAsking] = useState(false);
  const params = { path: { id } };
  const cancel = async () => {
    const { charged } = isStaff
      ? await read(client.POST("/admin/v1/tasks/{id}/cancel", { params }))
      : await read(client.POST("/v1/tasks/{id}/cancel", { params }));
    toast(charged ? t("task.cancelledCharged") : t("task.cancelled"), charged ? "neutral" : "good");
    await cache.invalidateQueries({ queryKey: ["task", id] });
  };
  return (
    <>
      <Button icon="close" onClick={() => setAsking(true)}>
        {t("task.cancel")}
      </Button>
      {isAsking && (
        <ConfirmDialog title={t("task.cancelTitle")} confirm={t("task.cancel")} onConfirm={cancel} onClose={() => setAsking(false)}>
          <p>{t("task.cancelHint")}</p>
        </ConfirmDialog>
      )}
    </>
  );
}

function RetryAsNew({ id, isStaff }: { id: string; isStaff: boolean }) {
  const [, go] = useLocation();
  const [isBusy, setBusy] = useState(false);
  const params = { path: { id } };
  const run = async () => {
    setBusy(true);
    try {
      const made = isStaff
        ? await read(client.POST("/admin/v1/tasks/{id}/retry", { params }))
        : await read(client.POST("/v1/tasks/{id}/retry", { params }));
      toast(t("task.retried"), "good");
      go(`/tasks/${made.id}`);
    } catch (error) {
      toast(asApiError(error).message, "bad");
    }
    setBusy(false);
  };
  return (
    <Button icon="refresh" busy={isBusy} onClick={() => void run()}>
      {t("task.retry")}
    </Button>
  );
}

/** Opens the playground with this task's request filled in, on behalf of the account that it is of; nothing where there is no form for it. */
export function RunAgain({ task, owner }: { task: Pick<Task, "id" | "request">; owner?: string | undefined }) {
  const { account, switchAccount } = useSeat();
  const [, go] = useLocation();
  const found = task.request && wayOf(task.request.path, task.request.body);
  if (!found) return null;
  const open = () => {
    if (owner !== undefined && owner !== account?.id) switchAccount(owner);
    go(`${wayLink(found.way)}?task=${encodeURIComponent(task.id)}`);
  };
  return (
    <Button icon="vary" onClick={open}>
      {t("task.runAgain")}
    </Button>
  );
}

type DeleteProps = { id: string; owner?: string | undefined; onDeleted: () => void };

/** Deletes a task with all that it made, once that was confirmed. */
export function DeleteTask({ id, owner, onDeleted }: DeleteProps) {
  const cache = useQueryClient();
  const [isAsking, setAsking] = useState(false);
  const run = async () => {
    const headers = owner === undefined ? {} : { "x-genway-account": owner };
    await read(client.DELETE("/v1/tasks/{id}", { params: { path: { id } }, headers }));
    toast(t("task.deleted"), "good");
    onDeleted();
    cache.removeQueries({ queryKey: ["task", id] });
  };
  return (
    <>
      <Button icon="trash" onClick={() => setAsking(true)}>
        {t("ui.delete")}
      </Button>
      {isAsking && (
        <ConfirmDialog title={t("task.deleteTitle")} confirm={t("ui.delete")} onConfirm={run} onClose={() => setAsking(false)}>
          <p>{t("task.deleteHint")}</p>
        </ConfirmDialog>
      )}
    </>
  );
}
