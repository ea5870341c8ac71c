import { isKey, t } from "../../i18n/translate.ts";
import { Field, Select, Switch, TextArea, TextInput } from "../../ui/field.tsx";
import { FilePicker } from "./file-picker.tsx";
import { setValue } from "./form-store.ts";
import type { Value } from "./request.ts";
import type { FormField } from "./schema-fields.ts";
import { SongPicker } from "./song-picker.tsx";
import type { Way } from "./ways.ts";

type FieldControlProps = { way: Way; field: FormField; value: Value | undefined; error: string | null };

/** The control that suits a field of the schema. */
export function FieldControl({ way, field, value, error }: FieldControlProps) {
  const { name, shape } = field;
  const label = labelOf(way, name);
  const hint = hintOf(way, field);
  const change = (next: Value) => setValue(way, name, next);
  if (shape.is === "switch") return <Switch label={label} hint={hint} checked={value === true} onChange={change} />;
  const accepts = way.files?.[name];
  if (accepts !== undefined) {
    const isHeld = way.sends === "multipart";
    return <FilePicker label={label} hint={hint} error={error} accepts={accepts} isHeld={isHeld} value={value ?? ""} onChange={change} />;
  }
  const shown = typeof value === "string" ? value : "";
  if (name === "continue_clip_id") return <SongPicker way={way} label={label} error={error} value={shown} />;
  const suggestions = way.suggest?.[name];
  return (
    <div className="stack stack--s">
      <Field label={label} hint={hint} error={error} aside={way.examples?.field === name && <NextExample way={way} value={shown} />}>
        <Control way={way} field={field} value={shown} onChange={change} />
      </Field>
      {suggestions && <Chips label={label} options={suggestions} value={shown} onChange={change} />}
    </div>
  );
}

function Control({
  way,
  field: { name, shape },
  value,
  onChange,
}: {
  way: Way;
  field: FormField;
  value: string;
  onChange: (value: string) => void;
}) {
  if (shape.is === "choice") {
    const options = [{ value: "", label: t("playground.usual") }, ...shape.options.map((option) => ({ value: option, label: option }))];
    return <Select value={value} onChange={onChange} options={options} />;
  }
  if (shape.is === "number") {
    const { min, max, isWhole } = shape;
    return (
      <TextInput
        type="number"
        inputMode={isWhole ? "numeric" : "decimal"}
        value={value}
        onChange={onChange}
        min={min ?? undefined}
        max={max ?? undefined}
        step={isWhole ? 1 : "any"}
        placeholder={t("playground.usual")}
      />
    );
  }
  if (shape.is === "json")
    return <TextArea className="mono" rows={2} value={value} onChange={onChange} placeholder="JSON" spellCheck={false} />;
  const isLong = way.long?.includes(name) === true;
  const limit = shape.is === "text" ? (shape.maxLength ?? undefined) : undefined;
  if (isLong || shape.is === "lines")
    return <TextArea rows={isLong ? rowsFor(value) : 2} value={value} onChange={onChange} maxLength={limit} />;
  const isNeeded = way.needs.includes(name);
  return <TextInput value={value} onChange={onChange} maxLength={limit} placeholder={isNeeded ? "" : t("playground.optional")} />;
}

/** As high as its text needs, within reason. */
function rowsFor(value: string): number {
  return Math.min(Math.max(value.split("\n").length + 1, 3), 12);
}

/** Fills in another text to begin with. */
function NextExample({ way, value }: { way: Way; value: string }) {
  const { examples } = way;
  if (examples === undefined) return null;
  const texts = examples.keys.map((key) => t(key));
  const next = texts[(texts.indexOf(value) + 1) % texts.length] ?? "";
  if (next === value) return null;
  return (
    <button type="button" className="idea" onClick={() => setValue(way, examples.field, next)}>
      {t("playground.anotherIdea")}
    </button>
  );
}

/** A few usual values to press. */
export function Chips({
  label,
  options,
  value,
  onChange,
}: {
  label: string;
  options: readonly string[];
  value: string;
  onChange: (value: string) => void;
}) {
  return (
    <fieldset className="chips">
      <legend className="visually-hidden">{label}</legend>
      {options.map((option) => (
        <button
          key={option}
          type="button"
          className="chip"
          aria-pressed={value === option}
          onClick={() => onChange(value === option ? "" : option)}
        >
          {option}
        </button>
      ))}
    </fieldset>
  );
}

/** What a field is called: for this form, in general, or as the wire has it. */
function labelOf(way: Way, name: string): string {
  const own = `playground.field.${way.id}.${name}`;
  const shared = `playground.field.${name}`;
  if (isKey(own)) return t(own);
  return isKey(shared) ? t(shared) : name.replaceAll("_", " ");
}

/** The schema's own words, unless there are better ones in the reader's language. */
function hintOf(way: Way, { name, hint }: FormField): string {
  const own = `playground.hint.${way.id}.${name}`;
  const shared = `playground.hint.${name}`;
  if (isKey(own)) return t(own);
  return isKey(shared) ? t(shared) : hint;
}
