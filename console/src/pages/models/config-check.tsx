import { useMutation } from "@tanstack/react-query";
import { useRef, useState } from "react";
import { asApiError } from "../../api/api-error.ts";
import { client, read, type Reply } from "../../api/client.ts";
import { useSeat } from "../../app/session.tsx";
import { t } from "../../i18n/translate.ts";
import { Button } from "../../ui/button.tsx";
import { Field, TextArea } from "../../ui/field.tsx";
import { Notice } from "../../ui/states.tsx";
import { ProblemList } from "./problem-list.tsx";

/** Judges a pasted file, and shows each problem at its line. */
export function ConfigCheck() {
  const { canWrite } = useSeat();
  const [text, setText] = useState("");
  const form = useRef<HTMLFormElement>(null);
  const check = useMutation({
    mutationFn: async (judged: string) => ({
      judged,
      verdict: await read(client.POST("/admin/v1/config/validate", { body: { text: judged } })),
    }),
  });
  const show = (line: number) => {
    const area = form.current?.querySelector("textarea");
    if (area === null || area === undefined) return;
    const start = text.split("\n", line - 1).reduce((sum, each) => sum + each.length + 1, 0);
    const end = text.indexOf("\n", start);
    area.focus();
    area.setSelectionRange(start, end === -1 ? text.length : end);
    area.scrollTop = (line - 3) * (area.scrollHeight / Math.max(1, text.split("\n").length));
  };
  return (
    <form
      ref={form}
      className="stack"
      onSubmit={(event) => {
        event.preventDefault();
        check.mutate(text);
      }}
    >
      <Field label={t("models.check.text")} hint={t("models.check.hint")}>
        <TextArea
          className="mono models-check__text"
          rows={16}
          wrap="off"
          spellCheck={false}
          autoComplete="off"
          value={text}
          onChange={setText}
          placeholder={t("models.check.placeholder")}
        />
      </Field>
      <div className="row">
        <Button type="submit" variant="primary" icon="check" busy={check.isPending} disabled={text.trim() === "" || !canWrite}>
          {t("models.check.go")}
        </Button>
      </div>
      <div className="stack" aria-live="polite">
        {check.isError && <Notice tone="bad">{asApiError(check.error).message}</Notice>}
        {check.data && <Verdict {...check.data} onShow={check.data.judged === text ? show : null} />}
      </div>
    </form>
  );
}

type VerdictProps = {
  judged: string;
  verdict: Reply<"/admin/v1/config/validate", "post">;
  onShow: ((line: number) => void) | null;
};

function Verdict({ judged, verdict: { ok, models, providers, problems }, onShow }: VerdictProps) {
  if (ok) return <Notice tone="good">{t("models.check.ok", { models, providers })}</Notice>;
  return (
    <>
      <Notice tone="bad">{t("models.check.bad", { n: problems.length })}</Notice>
      <ProblemList problems={problems} lines={judged.split("\n")} onShow={onShow} />
    </>
  );
}
