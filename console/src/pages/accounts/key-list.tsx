import { useQueryClient } from "@tanstack/react-query";
import { useRef, useState } from "react";
import { client, read } from "../../api/client.ts";
import { usePaged } from "../../api/paged.ts";
import { useSeat } from "../../app/session.tsx";
import { t } from "../../i18n/translate.ts";
import { Button } from "../../ui/button.tsx";
import { CodeBlock } from "../../ui/code-block.tsx";
import { ConfirmDialog } from "../../ui/dialog.tsx";
import { SecretDialog } from "../../ui/secret-dialog.tsx";
import { Skeleton } from "../../ui/progress.tsx";
import { EmptyState, ErrorState } from "../../ui/states.tsx";
import { toast } from "../../ui/toast.tsx";
import type { Account } from "./account-list.tsx";
import { KeyCard } from "./key-card.tsx";
import { KeyFormDialog } from "./key-form-dialog.tsx";
import type { KeyAct } from "./key.ts";

/** The keys of an account: made, limited, rotated, revoked. */
export function KeyList({ account }: { account: Account }) {
  const { canWrite } = useSeat();
  const [doing, setDoing] = useState<KeyAct | null>(null);
  const [isAll, setAll] = useState(false);
  const list = usePaged(
    ["keys", account.id],
    (query) => read(client.GET("/admin/v1/keys", { params: { query: { ...query, account: account.id } } })),
    ({ id }) => id,
  );
  const revoked = (list.rows ?? []).filter(({ revoked_at: at }) => at !== null).length;
  const shown = (list.rows ?? []).filter(({ revoked_at: at }) => isAll || at === null);
  const create = canWrite && (
    <Button icon="plus" onClick={() => setDoing({ act: "create" })}>
      {t("accounts.key.new")}
    </Button>
  );
  return (
    <section className="stack stack--s">
      <div className="row row--between">
        <h2>{t("accounts.keys")}</h2>
        {create}
      </div>
      {list.error ? (
        <ErrorState error={list.error} onRetry={list.refetch} />
      ) : list.rows === undefined ? (
        <Skeleton width="100%" height="5rem" />
      ) : shown.length === 0 ? (
        <EmptyState title={t("accounts.key.none")} icon="key" action={create}>
          {t("accounts.key.none.hint")}
        </EmptyState>
      ) : (
        <ul className="card card--flush accounts-keys">
          {shown.map((key) => (
            <KeyCard key={key.id} of={key} onAct={canWrite ? setDoing : null} />
          ))}
        </ul>
      )}
      <div className="row">
        {revoked > 0 && (
          <Button size="s" variant="quiet" onClick={() => setAll(!isAll)}>
            {isAll ? t("accounts.key.hideRevoked") : t("accounts.key.showRevoked", { n: revoked })}
          </Button>
        )}
        {list.more && (
          <Button size="s" busy={list.more.busy} onClick={list.more.onMore}>
            {t("ui.more")}
          </Button>
        )}
      </div>
      {doing && <KeyDialog account={account} doing={doing} setDoing={setDoing} />}
    </section>
  );
}

type KeyDialogProps = { account: Account; doing: KeyAct; setDoing: (doing: KeyAct | null) => void };

function KeyDialog({ account, doing, setDoing }: KeyDialogProps) {
  const cache = useQueryClient();
  const made = useRef<string | null>(null);
  const refresh = () => cache.invalidateQueries({ queryKey: ["keys"] });
  // The dialog that made a key closes by itself; its text takes that place.
  const close = () => setDoing(made.current === null ? null : { act: "shown", text: made.current });
  const show = async (text: string) => {
    made.current = text;
    await refresh();
  };
  if (doing.act === "shown") return <NewKey text={doing.text} onClose={() => setDoing(null)} />;
  if (doing.act === "create") return <KeyFormDialog account={account} of={null} onMade={show} onClose={close} />;
  const { of, act } = doing;
  const path = { id: of.id };
  if (act === "limits") return <KeyFormDialog account={account} of={of} onMade={show} onClose={close} />;
  if (act === "rotate") {
    const rotate = async () => show((await read(client.POST("/admin/v1/keys/{id}/rotate", { params: { path } }))).key);
    return (
      <ConfirmDialog
        title={t("accounts.key.rotate.title", { name: of.name })}
        confirm={t("accounts.key.rotate")}
        onConfirm={rotate}
        onClose={close}
      >
        <p>{t("accounts.key.rotate.text")}</p>
      </ConfirmDialog>
    );
  }
  const revoke = async () => {
    await read(client.DELETE("/admin/v1/keys/{id}", { params: { path } }));
    await refresh();
    toast(t("accounts.key.revoke.done"), "good");
  };
  return (
    <ConfirmDialog
      title={t("accounts.key.revoke.title", { name: of.name })}
      confirm={t("accounts.key.revoke")}
      onConfirm={revoke}
      onClose={close}
    >
      <p>{t("accounts.key.revoke.text", { end: of.last_four })}</p>
    </ConfirmDialog>
  );
}

function NewKey({ text, onClose }: { text: string; onClose: () => void }) {
  return (
    <SecretDialog title={t("accounts.key.once.title")} text={text} onClose={onClose}>
      <div className="stack stack--s">
        <h3>{t("accounts.key.once.try")}</h3>
        <CodeBlock
          label={t("accounts.key.once.try")}
          code={`curl ${location.origin}/v1/balance \\\n  -H "Authorization: Bearer ${text}"`}
        />
      </div>
    </SecretDialog>
  );
}
