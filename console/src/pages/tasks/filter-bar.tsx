import { useQuery } from "@tanstack/react-query";
import { useEffect, useRef, useState } from "react";
import { client, read } from "../../api/client.ts";
import { useSeat } from "../../app/session.tsx";
import { t } from "../../i18n/translate.ts";
import { Button } from "../../ui/button.tsx";
import { Select, TextInput, type Option } from "../../ui/field.tsx";
import { Icon } from "../../ui/icon.tsx";
import { kindName, kinds } from "../task/task-words.ts";
import { isFiltered, noFilters, spans, statuses, type FilterName, type TaskFilters } from "./task-filters.ts";
import "./filter-bar.css";

type FilterBarProps = {
  filters: TaskFilters;
  change: (wanted: Partial<TaskFilters>) => void;
  /** Which filters there are besides kind, model, words and time. */
  also: readonly ("status" | "account")[];
  /** Models that were seen in the list itself: the catalogue may know only patterns. */
  seenModels: readonly string[];
};

/** Filters of a list of tasks. */
export function FilterBar({ filters, change, also, seenModels }: FilterBarProps) {
  const { accounts } = useSeat();
  const models = useModelOptions(seenModels, filters.model);
  const pick = (name: FilterName) => (value: string) => change({ [name]: value });
  return (
    <search className="filters" aria-label={t("tasks.filters")}>
      <SearchBox value={filters.q} onChange={pick("q")} />
      {also.includes("status") && (
        <Choice
          name={t("tasks.status")}
          all={t("tasks.allStatuses")}
          value={filters.status}
          onChange={pick("status")}
          options={statusOptions()}
        />
      )}
      <Choice
        name={t("tasks.kind")}
        all={t("tasks.allKinds")}
        value={filters.kind}
        onChange={pick("kind")}
        options={kinds.map((kind) => ({ value: kind, label: kindName(kind) }))}
      />
      <Choice name={t("tasks.model")} all={t("tasks.allModels")} value={filters.model} onChange={pick("model")} options={models} />
      {also.includes("account") && (
        <Choice
          name={t("tasks.account")}
          all={t("tasks.allAccounts")}
          value={filters.account}
          onChange={pick("account")}
          options={accounts.map(({ id, name }) => ({ value: id, label: name }))}
        />
      )}
      <Choice name={t("tasks.time")} all={t("tasks.anyTime")} value={filters.time} onChange={pick("time")} options={timeOptions()} />
      {filters.time === "days" && <Days filters={filters} change={change} />}
      {isFiltered(filters) && (
        <Button size="s" variant="quiet" icon="close" onClick={() => change(noFilters)}>
          {t("tasks.clear")}
        </Button>
      )}
    </search>
  );
}

type ChoiceProps = { name: string; all: string; value: string; onChange: (value: string) => void; options: readonly Option[] };

function Choice({ name, all, value, onChange, options }: ChoiceProps) {
  return (
    <Select
      aria-label={name}
      className="filters__choice"
      value={value}
      onChange={onChange}
      options={[{ value: "", label: all }, ...options]}
    />
  );
}

function Days({ filters, change }: Pick<FilterBarProps, "filters" | "change">) {
  return (
    <span className="row filters__days">
      <TextInput
        type="date"
        aria-label={t("tasks.from")}
        value={filters.from}
        max={filters.to || undefined}
        onChange={(from) => change({ from })}
      />
      <span aria-hidden="true">–</span>
      <TextInput
        type="date"
        aria-label={t("tasks.to")}
        value={filters.to}
        min={filters.from || undefined}
        onChange={(to) => change({ to })}
      />
    </span>
  );
}

const typingMs = 300;

/** Asks when the reader has stopped typing. */
function SearchBox({ value, onChange }: { value: string; onChange: (value: string) => void }) {
  const [text, setText] = useState(value);
  const timer = useRef<ReturnType<typeof setTimeout>>(undefined);
  const told = useRef(value);
  useEffect(() => {
    // The address was changed by something else, as by the button that clears all filters.
    if (value === told.current) return;
    told.current = value;
    setText(value);
  }, [value]);
  useEffect(() => () => clearTimeout(timer.current), []);
  const type = (typed: string) => {
    setText(typed);
    clearTimeout(timer.current);
    timer.current = setTimeout(() => {
      told.current = typed.trim();
      onChange(typed.trim());
    }, typingMs);
  };
  return (
    <span className="filters__search">
      <Icon name="search" />
      <TextInput type="search" aria-label={t("ui.search")} placeholder={t("tasks.search")} value={text} onChange={type} maxLength={200} />
    </span>
  );
}

function statusOptions(): Option[] {
  const names = {
    SUBMITTED: t("ui.status.submitted"),
    QUEUED: t("ui.status.queued"),
    IN_PROGRESS: t("ui.status.running"),
    SUCCESS: t("ui.status.done"),
    FAILURE: t("ui.status.failed"),
  };
  return statuses.map((status) => ({ value: status, label: names[status] }));
}

function timeOptions(): Option[] {
  const names: Record<string, string> = {
    "1h": t("tasks.lastHour"),
    "24h": t("tasks.lastDay"),
    "7d": t("tasks.lastWeek"),
    "30d": t("tasks.lastMonth"),
  };
  return [...Object.keys(spans).map((span) => ({ value: span, label: names[span] ?? span })), { value: "days", label: t("tasks.days") }];
}

function useModelOptions(seen: readonly string[], chosen: string): Option[] {
  const { account } = useSeat();
  const models = useQuery({
    queryKey: ["models", "names", account?.id],
    queryFn: () => read(client.GET("/v1/models")),
    enabled: account !== null,
  });
  const named = (models.data?.data ?? []).map(({ id }) => id).filter((id) => !id.includes("*"));
  return [...new Set([...named, ...seen, ...(chosen ? [chosen] : [])])].sort().map((model) => ({ value: model, label: model }));
}
