import {
  createContext,
  use,
  useId,
  useMemo,
  type InputHTMLAttributes,
  type ReactNode,
  type SelectHTMLAttributes,
  type TextareaHTMLAttributes,
} from "react";

type Naming = { id: string; describedBy: string | undefined; invalid: boolean };
const Named = createContext<Naming | null>(null);

type FieldProps = {
  label: ReactNode;
  hint?: ReactNode;
  error?: string | null;
  aside?: ReactNode;
  hideLabel?: boolean;
  children: ReactNode;
};

/** Names one control: its label, a hint and what is wrong with it; the control inside is tied to them by itself. */
export function Field({ label, hint, error, aside, hideLabel = false, children }: FieldProps) {
  const id = useId();
  const says = Boolean(error) || Boolean(hint);
  const naming = useMemo(() => ({ id, describedBy: says ? `${id}-says` : undefined, invalid: Boolean(error) }), [id, says, error]);
  return (
    <div className="field">
      <div className={hideLabel ? "visually-hidden" : "field__head"}>
        <label className="field__label" htmlFor={id}>
          {label}
        </label>
        {aside}
      </div>
      <Named value={naming}>{children}</Named>
      {says && (
        <div id={`${id}-says`} className={error ? "field__error" : "field__hint"}>
          {error || hint}
        </div>
      )}
    </div>
  );
}

function useNaming(): { id?: string; "aria-describedby"?: string; "aria-invalid"?: true } {
  const naming = use(Named);
  if (naming === null) return {};
  return {
    id: naming.id,
    ...(naming.describedBy && { "aria-describedby": naming.describedBy }),
    ...(naming.invalid && { "aria-invalid": true }),
  };
}

type Controlled<A> = Omit<A, "onChange" | "value"> & { value: string; onChange: (value: string) => void };

export function TextInput({ value, onChange, className = "", ...rest }: Controlled<InputHTMLAttributes<HTMLInputElement>>) {
  return (
    <input
      type="text"
      {...useNaming()}
      {...rest}
      className={`input ${className}`}
      value={value}
      onChange={(event) => onChange(event.target.value)}
    />
  );
}

export function TextArea({ value, onChange, className = "", rows = 3, ...rest }: Controlled<TextareaHTMLAttributes<HTMLTextAreaElement>>) {
  return (
    <textarea
      {...useNaming()}
      {...rest}
      rows={rows}
      className={`input textarea ${className}`}
      value={value}
      onChange={(event) => onChange(event.target.value)}
    />
  );
}

export type Option = { value: string; label: string; disabled?: boolean };
type SelectProps = Controlled<SelectHTMLAttributes<HTMLSelectElement>> & { options: readonly Option[] };

export function Select({ value, onChange, options, className = "", ...rest }: SelectProps) {
  return (
    <select {...useNaming()} {...rest} className={`select ${className}`} value={value} onChange={(event) => onChange(event.target.value)}>
      {options.map((option) => (
        <option key={option.value} value={option.value} disabled={option.disabled}>
          {option.label}
        </option>
      ))}
    </select>
  );
}

type SwitchProps = { checked: boolean; onChange: (checked: boolean) => void; label: ReactNode; hint?: ReactNode; disabled?: boolean };

/** On or off, with its own label. */
export function Switch({ checked, onChange, label, hint, disabled }: SwitchProps) {
  const id = useId();
  return (
    <div className="switch">
      <input
        id={id}
        type="checkbox"
        role="switch"
        aria-checked={checked}
        checked={checked}
        disabled={disabled}
        aria-describedby={hint ? `${id}-hint` : undefined}
        onChange={(event) => onChange(event.target.checked)}
      />
      <div>
        <label htmlFor={id}>{label}</label>
        {hint && (
          <div id={`${id}-hint`} className="field__hint">
            {hint}
          </div>
        )}
      </div>
    </div>
  );
}
