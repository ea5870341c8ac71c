import { useRef, type FocusEvent } from "react";
import { sameOrigin } from "../../api/client.ts";
import { t } from "../../i18n/translate.ts";
import { Time } from "../../ui/figures.tsx";
import { Icon } from "../../ui/icon.tsx";
import { kindIcon, kindName } from "../task/task-words.ts";
import { CardPlay } from "./card-play.tsx";
import type { Face, GalleryItem } from "./gallery-item.ts";

type CardProps = { item: GalleryItem; onOpen: (id: string) => void };

/** One thing made: its face opens it whole; songs play in place, videos while they are pointed at. */
export function GalleryCard({ item, onOpen }: CardProps) {
  const video = useRef<HTMLVideoElement>(null);
  const play = () => void video.current?.play().catch(() => undefined);
  const rest = () => {
    if (video.current === null) return;
    video.current.pause();
    video.current.currentTime = 0;
  };
  const { face } = item;
  return (
    // oxlint-disable-next-line jsx-a11y/no-noninteractive-element-interactions -- a preview of what the button inside opens
    <article
      className="gallery-card"
      onMouseEnter={play}
      onMouseLeave={rest}
      onFocus={play}
      onBlur={(event: FocusEvent) => !event.currentTarget.contains(event.relatedTarget) && rest()}
    >
      <div className="gallery-card__face">
        {face.is === "video" ? (
          <video
            ref={video}
            src={sameOrigin(face.url)}
            poster={face.cover === "" ? undefined : sameOrigin(face.cover)}
            muted
            loop
            playsInline
            preload={face.cover === "" ? "metadata" : "none"}
            aria-hidden="true"
            tabIndex={-1}
          />
        ) : (
          <Still face={face} />
        )}
      </div>
      <div className="gallery-card__words">
        <button
          type="button"
          className="gallery-card__open"
          aria-label={t("gallery.open", { name: item.name })}
          onClick={() => onOpen(item.id)}
        >
          <span className="truncate" title={item.name}>
            {item.name}
          </span>
        </button>
        <span className="gallery-card__facts small muted">
          <span className="gallery-card__kind" title={kindName(item.kind)}>
            <Icon name={kindIcon(item.kind)} />
          </span>
          <span className="truncate">{item.model}</span>
          <Time at={item.createdAt} />
        </span>
      </div>
      {(face.is === "song" || face.is === "speech") && face.audio !== "" && <CardPlay src={face.audio} title={item.name} />}
    </article>
  );
}

function Still({ face }: { face: Exclude<Face, { is: "video" }> }) {
  switch (face.is) {
    case "pictures":
      return <Mosaic urls={face.urls} count={face.count} />;
    case "song":
      return (
        <div className="gallery-song">
          {face.cover === "" ? <Icon name="music" /> : <img src={sameOrigin(face.cover)} alt="" loading="lazy" decoding="async" />}
          {face.count > 1 && <span className="gallery-card__count">{t("gallery.songs", { n: face.count })}</span>}
        </div>
      );
    case "speech":
      return (
        <div className="gallery-speech">
          <Icon name="speech" />
        </div>
      );
    case "text":
      return (
        <div className="gallery-text">
          {face.title !== "" && <strong>{face.title}</strong>}
          <p className="prewrap">{face.text}</p>
        </div>
      );
  }
}

function Mosaic({ urls, count }: { urls: readonly string[]; count: number }) {
  return (
    <div className={`gallery-mosaic gallery-mosaic--${urls.length}`}>
      {urls.map((url) => (
        <img key={url} src={sameOrigin(url)} alt="" loading="lazy" decoding="async" />
      ))}
      {count > 1 && <span className="gallery-card__count">{t("gallery.pictures", { n: count })}</span>}
    </div>
  );
}
