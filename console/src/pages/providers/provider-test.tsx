import { useMutation } from "@tanstack/react-query";
import { useState } from "react";
import { asApiError } from "../../api/api-error.ts";
import { client, read } from "../../api/client.ts";
import { t } from "../../i18n/translate.ts";
import { Badge } from "../../ui/badge.tsx";
import { Button } from "../../ui/button.tsx";
import { Select } from "../../ui/field.tsx";
import { formatDuration } from "../../ui/figures.tsx";
import { Notice } from "../../ui/states.tsx";

/** Tries a provider out, by its cheapest question or by one of its models, and tells what it said. */
export function ProviderTest({ name, models }: { name: string; models: readonly string[] }) {
  const [model, setModel] = useState("");
  const test = useMutation({
    mutationFn: () =>
      read(client.POST("/admin/v1/providers/{name}/test", { params: { path: { name } }, body: model === "" ? {} : { model } })),
  });
  return (
    <div className="stack stack--s providers-test">
      <div className="row">
        {models.length > 0 && (
          <Select
            className="providers-test__model"
            aria-label={t("providers.test.with")}
            value={model}
            onChange={setModel}
            options={[
              { value: "", label: `${t("providers.test.with")}: ${t("providers.test.cheapest")}` },
              ...models.map((value) => ({ value, label: `${t("providers.test.with")}: ${value}` })),
            ]}
          />
        )}
        <Button icon="play" busy={test.isPending} title={t("providers.test.free")} onClick={() => test.mutate()}>
          {t("providers.test")}
        </Button>
      </div>
      <div aria-live="polite">
        {test.isError && <Notice tone="bad">{asApiError(test.error).message}</Notice>}
        {test.data && !test.isPending && (
          <div className="providers-test__result">
            <Badge tone={test.data.ok ? "good" : "bad"}>{t(test.data.ok ? "providers.test.ok" : "providers.test.failed")}</Badge>
            <span className="muted small number">{t("providers.test.after", { time: formatDuration(test.data.ms / 1000) })}</span>
            <p className="prewrap">{test.data.says}</p>
          </div>
        )}
      </div>
    </div>
  );
}
