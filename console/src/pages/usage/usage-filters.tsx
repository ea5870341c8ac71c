import { useSeat } from "../../app/session.tsx";
import { isKey, t } from "../../i18n/translate.ts";
import { Button, IconButton } from "../../ui/button.tsx";
import { Field, Select, TextInput } from "../../ui/field.tsx";
import { Tabs } from "../../ui/tabs.tsx";
import { narrowings, sides, type Question, type Range, type Side, type useQuestion } from "./usage-question.ts";

type FiltersProps = {
  question: Question;
  change: ReturnType<typeof useQuestion>["change"];
  refresh: () => void;
  step: string | undefined;
  nameOf: (side: Side, value: string) => string;
};

const allRanges: readonly Range[] = ["1h", "24h", "7d", "30d", "custom"];
const staffSides: readonly Side[] = ["account", "provider"];

/** When, whose, and how told apart. */
export function UsageFilters({ question, change, refresh, step, nameOf }: FiltersProps) {
  const { isStaff, accounts } = useSeat();
  const { range, from, to, by, account, only } = question;
  const stepKey = `usage.step.${step ?? ""}`;
  const pick = (next: Range) =>
    change(
      next === "custom"
        ? { range: next, from: String(from), to: String(to) }
        : { range: next === "24h" ? null : next, from: null, to: null },
    );
  return (
    <div className="stack stack--s">
      <div className="usage-filters">
        <Tabs
          label={t("usage.range")}
          look="pill"
          tabs={allRanges.map((value) => ({ value, label: t(`usage.range.${value}`) }))}
          value={range}
          onChange={pick}
        />
        <span className="muted small">{isKey(stepKey) ? t(stepKey) : ""}</span>
        <IconButton label={t("ui.refresh")} icon="refresh" onClick={refresh} disabled={range === "custom"} />
        <span className="grow" />
        {isStaff && (
          <Field label={t("usage.account")} hideLabel>
            <Select
              value={account ?? ""}
              onChange={(value) => change({ account: value })}
              options={[{ value: "", label: t("usage.account.all") }, ...accounts.map(({ id, name }) => ({ value: id, label: name }))]}
            />
          </Field>
        )}
        <Field label={t("usage.by")} hideLabel>
          <Select
            value={by ?? ""}
            onChange={(value) => change({ by: value })}
            options={[
              { value: "", label: `${t("usage.by")}: ${t("usage.by.none")}` },
              ...sides
                .filter((side) => isStaff || !staffSides.includes(side))
                .map((side) => ({ value: side, label: `${t("usage.by")}: ${t(`usage.by.${side}`)}` })),
            ]}
          />
        </Field>
      </div>
      {range === "custom" && (
        <div className="row usage-custom">
          <Moment label={t("usage.from")} at={from} onChange={(at) => change({ from: String(Math.min(at, to - 60)) })} />
          <Moment label={t("usage.to")} at={to} onChange={(at) => change({ to: String(Math.max(at, from + 60)) })} />
        </div>
      )}
      <Chips only={only} change={change} nameOf={nameOf} />
    </div>
  );
}

/** What the numbers are narrowed to; pressing one takes it away. */
function Chips({ only, change, nameOf }: Pick<FiltersProps, "change" | "nameOf"> & { only: Question["only"] }) {
  return (
    <div className="row">
      {narrowings.map((name) => {
        const value = only[name];
        if (value === undefined) return null;
        const text = `${t(`usage.by.${name}`)}: ${nameOf(name, value)}`;
        return (
          <Button key={name} size="s" icon="close" title={t("usage.filter.clear", { name: text })} onClick={() => change({ [name]: null })}>
            <span className="truncate usage-chip">{text}</span>
          </Button>
        );
      })}
    </div>
  );
}

function Moment({ label, at, onChange }: { label: string; at: number; onChange: (at: number) => void }) {
  const local = new Date(at * 1000 - new Date(at * 1000).getTimezoneOffset() * 60_000).toISOString().slice(0, 16);
  return (
    <Field label={label}>
      <TextInput
        type="datetime-local"
        value={local}
        onChange={(text) => {
          const chosen = new Date(text).getTime();
          if (Number.isFinite(chosen)) onChange(Math.floor(chosen / 1000));
        }}
      />
    </Field>
  );
}
