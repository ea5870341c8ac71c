import { useEffect, useId, useMemo, useState, type DragEvent } from "react";
import { asApiError } from "../../api/api-error.ts";
import { send } from "../../api/client.ts";
import { text } from "../../api/task-result.ts";
import { t } from "../../i18n/translate.ts";
import { Button, IconButton } from "../../ui/button.tsx";
import { formatBytes } from "../../ui/figures.tsx";
import { Icon } from "../../ui/icon.tsx";
import type { Value } from "./request.ts";

type FilePickerProps = {
  label: string;
  hint: string;
  error: string | null;
  accepts: "image" | "audio";
  /** The file itself is sent with the form; else it is uploaded at once and named by its id. */
  isHeld: boolean;
  value: Value;
  onChange: (value: Value) => void;
};

const types = { image: "image/*", audio: "audio/*,video/mp4,video/webm" };

/** A file to send: chosen or dropped here. */
export function FilePicker({ label, hint, error, accepts, isHeld, value, onChange }: FilePickerProps) {
  const id = useId();
  const [upload, setUpload] = useState<{ busy: boolean; error: string | null; file: File | null }>({
    busy: false,
    error: null,
    file: null,
  });
  const take = async (file: File | undefined) => {
    if (file === undefined) return;
    if (isHeld) return onChange(file);
    setUpload({ busy: true, error: null, file });
    try {
      onChange(await uploaded(file));
      setUpload({ busy: false, error: null, file });
    } catch (refused) {
      setUpload({ busy: false, error: asApiError(refused).message, file: null });
    }
  };
  const onDrop = (event: DragEvent) => {
    event.preventDefault();
    void take(event.dataTransfer.files[0]);
  };
  const file = value instanceof File ? value : value === "" ? null : upload.file;
  const says = upload.error ?? error;
  return (
    <div className="field">
      <label className="field__label" htmlFor={id}>
        {label}
      </label>
      <div className="drop" role="presentation" onDragOver={(event) => event.preventDefault()} onDrop={onDrop}>
        {value === "" || value === false ? (
          <Button icon="upload" size="s" busy={upload.busy} onClick={() => document.getElementById(id)?.click()}>
            {t(`playground.choose.${accepts}`)}
          </Button>
        ) : (
          <Chosen file={file} name={file?.name ?? String(value)} accepts={accepts} onClear={() => onChange("")} />
        )}
        <input
          id={id}
          className="visually-hidden"
          type="file"
          tabIndex={-1}
          accept={types[accepts]}
          aria-describedby={`${id}-says`}
          aria-invalid={says !== null || undefined}
          onChange={(event) => {
            void take(event.target.files?.[0]);
            event.target.value = "";
          }}
        />
      </div>
      <div id={`${id}-says`} className={says === null ? "field__hint" : "field__error"}>
        {says ?? hint}
      </div>
    </div>
  );
}

function Chosen({ file, name, accepts, onClear }: { file: File | null; name: string; accepts: "image" | "audio"; onClear: () => void }) {
  const preview = usePreview(accepts === "image" ? file : null);
  return (
    <div className="drop__file">
      {preview === null ? <Icon name={accepts === "image" ? "image" : "music"} /> : <img src={preview} alt="" />}
      <span className="grow truncate" title={name}>
        {name}
      </span>
      {file && <span className="muted small number">{formatBytes(file.size)}</span>}
      <IconButton size="s" icon="close" label={t("playground.removeFile")} onClick={onClear} />
    </div>
  );
}

function usePreview(file: File | null): string | null {
  const url = useMemo(() => (file === null ? null : URL.createObjectURL(file)), [file]);
  useEffect(() => {
    if (url !== null) return () => URL.revokeObjectURL(url);
  }, [url]);
  return url;
}

/** Uploads a file; its id. */
async function uploaded(file: File): Promise<string> {
  const form = new FormData();
  form.append("purpose", "input");
  form.append("file", file);
  return text(await (await send("/v1/files", { method: "POST", body: form })).json(), "id");
}
