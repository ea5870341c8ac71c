import { useQuery } from "@tanstack/react-query";
import { useId } from "react";
import { client, read } from "../../api/client.ts";
import { useSeat } from "../../app/session.tsx";
import { t } from "../../i18n/translate.ts";
import { Button, IconButton } from "../../ui/button.tsx";
import { Field, Select, TextInput } from "../../ui/field.tsx";
import { Notice } from "../../ui/states.tsx";
import { setModels } from "./form-store.ts";
import type { Way } from "./ways.ts";

const most = 4;

export type Models = { names: readonly string[]; isAny: boolean; isKnown: boolean };

/** The models that serve a way; `isAny` when other names are served too. */
export function useModels(way: Way): Models {
  const { account } = useSeat();
  const list = useQuery({ queryKey: ["models", account?.id], queryFn: () => read(client.GET("/v1/models")), staleTime: 60_000 });
  const serving = (list.data?.data ?? []).filter(({ kinds }) => way.kind !== null && kinds.includes(way.kind)).map(({ id }) => id);
  const names = serving.filter((id) => !id.includes("*"));
  return { names, isAny: serving.length > names.length, isKnown: list.isSuccess };
}

/** Whether anything here can do what a way asks for, as far as is known by now. */
export function isServed(way: Way, { names, isAny }: Models): boolean {
  return way.kind === null || isAny || names.length > 0;
}

/** The models that are asked: those chosen, else the usual one. */
export function chosenModels(way: Way, models: Models, chosen: readonly string[] | null): readonly string[] {
  if (way.kind === null) return [""];
  if (chosen !== null && chosen.length > 0) return chosen;
  const usual = way.usualModels.find((name) => models.names.includes(name));
  return [usual ?? models.names[0] ?? way.usualModels[0] ?? ""];
}

/** One to four models by name. */
export function ModelChoice({ way, models, chosen, error }: { way: Way; models: Models; chosen: readonly string[]; error: string | null }) {
  const put = (index: number, name: string) =>
    setModels(
      way,
      chosen.map((each, at) => (at === index ? name : each)),
    );
  const add = () => {
    const offer = [...models.names, ...(models.isAny ? way.usualModels : [])];
    setModels(way, [...chosen, offer.find((name) => !chosen.includes(name)) ?? chosen[0] ?? ""]);
  };
  return (
    <div className="stack stack--s">
      {chosen.map((name, index) => (
        <div className="model-row" key={index}>
          <div className="grow">
            <ModelInput
              way={way}
              models={models}
              label={chosen.length > 1 ? t("playground.modelN", { n: index + 1 }) : t("playground.model")}
              error={index === 0 ? error : null}
              isFirst={index === 0}
              value={name}
              onChange={(next) => put(index, next)}
            />
          </div>
          {chosen.length > 1 && (
            <IconButton
              icon="close"
              label={t("playground.removeModel", { name })}
              onClick={() =>
                setModels(
                  way,
                  chosen.filter((_each, at) => at !== index),
                )
              }
            />
          )}
        </div>
      ))}
      {models.isKnown && !isServed(way, models) && <Notice tone="warn">{t("playground.noModel")}</Notice>}
      {chosen.length < most && (models.isAny || models.names.length > chosen.length) && (
        <div>
          <Button size="s" variant="quiet" icon="compare" onClick={add}>
            {t("playground.compare")}
          </Button>
        </div>
      )}
    </div>
  );
}

type ModelInputProps = {
  way: Way;
  models: Models;
  label: string;
  error: string | null;
  isFirst: boolean;
  value: string;
  onChange: (name: string) => void;
};

function ModelInput({ way, models, label, error, isFirst, value, onChange }: ModelInputProps) {
  const id = useId();
  if (!models.isAny && models.names.length > 0) {
    const names = models.names.includes(value) ? models.names : [value, ...models.names];
    return (
      <Field label={label} error={error}>
        <Select value={value} onChange={onChange} options={names.map((name) => ({ value: name, label: name }))} />
      </Field>
    );
  }
  const offers = [...new Set([...models.names, ...way.usualModels])];
  return (
    <Field label={label} error={error} hint={models.isAny && isFirst ? t("playground.anyModel") : undefined}>
      <TextInput value={value} onChange={onChange} list={id} spellCheck={false} autoComplete="off" />
      <datalist id={id}>
        {offers.map((name) => (
          <option key={name} value={name}>
            {name}
          </option>
        ))}
      </datalist>
    </Field>
  );
}
