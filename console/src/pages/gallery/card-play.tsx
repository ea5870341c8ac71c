import { useEffect, useRef, useState } from "react";
import { sameOrigin } from "../../api/client.ts";
import { t } from "../../i18n/translate.ts";
import { IconButton } from "../../ui/button.tsx";

/** The one that is heard; two at once would be noise. */
let heard: HTMLAudioElement | null = null;

/** Plays a song in its card. */
export function CardPlay({ src, title }: { src: string; title: string }) {
  const audio = useRef<HTMLAudioElement>(null);
  const [isPlaying, setPlaying] = useState(false);
  useEffect(() => {
    const player = audio.current;
    return () => {
      player?.pause();
      if (heard === player) heard = null;
    };
  }, []);
  const toggle = () => {
    const player = audio.current;
    if (player === null) return;
    if (!player.paused) return player.pause();
    if (heard !== player) heard?.pause();
    heard = player;
    player.play().catch(() => setPlaying(false));
  };
  return (
    <>
      {/* oxlint-disable-next-line jsx-a11y/media-has-caption -- made audio has no captions; lyrics are shown when it is opened */}
      <audio
        ref={audio}
        src={sameOrigin(src)}
        preload="none"
        onPlay={() => setPlaying(true)}
        onPause={() => setPlaying(false)}
        onEnded={() => setPlaying(false)}
      />
      <IconButton
        className="gallery-card__play player__play"
        icon={isPlaying ? "pause" : "play"}
        label={`${isPlaying ? t("ui.pause") : t("ui.play")}: ${title}`}
        aria-pressed={isPlaying}
        onClick={toggle}
      />
    </>
  );
}
