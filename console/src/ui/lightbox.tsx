import { useEffect, useRef, useState, type KeyboardEvent, type ReactNode } from "react";
import { sameOrigin } from "../api/client.ts";
import { t } from "../i18n/translate.ts";
import { DownloadButton, IconButton } from "./button.tsx";

/** `name` is what a saved copy is called. */
export type Picture = { url: string; alt: string; name?: string };

/** Pictures that open large when pressed; `under` puts something below each. */
export function PictureGrid({ pictures, under }: { pictures: readonly Picture[]; under?: ((index: number) => ReactNode) | undefined }) {
  const [open, setOpen] = useState<number | null>(null);
  return (
    <>
      <ul className={pictures.length === 1 ? "pictures pictures--one" : "pictures"}>
        {pictures.map((picture, index) => (
          <li key={picture.url}>
            <button type="button" className="picture" onClick={() => setOpen(index)} aria-label={t("ui.enlarge", { n: index + 1 })}>
              <img src={sameOrigin(picture.url)} alt={picture.alt} loading="lazy" />
            </button>
            {under?.(index)}
          </li>
        ))}
      </ul>
      {open !== null && <Lightbox pictures={pictures} start={open} onClose={() => setOpen(null)} />}
    </>
  );
}

/** One picture over the whole window: arrows change it, plus and minus or a press zoom, Escape closes. */
export function Lightbox({ pictures, start, onClose }: { pictures: readonly Picture[]; start: number; onClose: () => void }) {
  const element = useRef<HTMLDialogElement>(null);
  const [at, setAt] = useState(start);
  const [zoom, setZoom] = useState(1);
  useEffect(() => {
    if (element.current !== null && !element.current.open) element.current.showModal();
  }, []);
  const picture = pictures[at];
  if (picture === undefined) return null;
  const move = (step: number) => {
    setZoom(1);
    setAt((at + step + pictures.length) % pictures.length);
  };
  const onKeyDown = (event: KeyboardEvent) => {
    if (event.key === "ArrowRight") move(1);
    if (event.key === "ArrowLeft") move(-1);
    if (event.key === "+" || event.key === "=") setZoom(Math.min(zoom * 1.5, 8));
    if (event.key === "-") setZoom(Math.max(zoom / 1.5, 1));
  };
  return (
    <dialog ref={element} className="lightbox" aria-label={picture.alt} onClose={onClose} onKeyDown={onKeyDown}>
      <div className="lightbox__bar">
        <span className="number">{pictures.length > 1 && `${at + 1} / ${pictures.length}`}</span>
        <div className="row">
          <IconButton icon="zoom" label={t("ui.zoom")} aria-pressed={zoom > 1} onClick={() => setZoom(zoom > 1 ? 1 : 2.5)} />
          <DownloadButton href={sameOrigin(picture.url)} name={picture.name ?? "picture"}>
            {t("ui.download")}
          </DownloadButton>
          <IconButton icon="close" label={t("ui.close")} onClick={onClose} />
        </div>
      </div>
      {/* oxlint-disable-next-line jsx-a11y/no-noninteractive-tabindex -- a region that scrolls must be reachable by keyboard */}
      <section className="lightbox__stage" tabIndex={zoom > 1 ? 0 : undefined} aria-label={picture.alt}>
        <img
          src={sameOrigin(picture.url)}
          alt={picture.alt}
          style={zoom > 1 ? { width: `${zoom * 100}%`, maxWidth: "none", maxHeight: "none" } : undefined}
        />
      </section>
    </dialog>
  );
}
