import { useEffect, useRef, useState, type KeyboardEvent } from "react";
import { sameOrigin } from "../api/client.ts";
import { t } from "../i18n/translate.ts";
import { IconButton } from "./button.tsx";
import { formatClock } from "./figures.tsx";
import { drawPeaks, readPeaks } from "./waveform.ts";

const bars = 240;
const flat: readonly number[] = Array.from({ length: bars }, () => 0.06);

/** Plays audio under its waveform: space plays, arrows seek by five seconds, Home and End jump. */
export function AudioPlayer({ src, title }: { src: string; title: string }) {
  const url = sameOrigin(src);
  const audio = useRef<HTMLAudioElement>(null);
  const [state, setState] = useState({ isPlaying: false, at: 0, length: 0 });
  const refresh = () => {
    const player = audio.current;
    if (player === null) return;
    setState({ isPlaying: !player.paused, at: player.currentTime, length: Number.isFinite(player.duration) ? player.duration : 0 });
  };
  const toggle = () => {
    const player = audio.current;
    if (player === null) return;
    if (player.paused) player.play().catch(() => undefined);
    else player.pause();
  };
  const seek = (to: number) => {
    if (audio.current !== null) audio.current.currentTime = to;
  };
  return (
    <div className="player">
      {/* oxlint-disable-next-line jsx-a11y/media-has-caption -- made audio has no captions; lyrics are shown beside it */}
      <audio
        ref={audio}
        src={url}
        preload="metadata"
        onPlay={refresh}
        onPause={refresh}
        onTimeUpdate={refresh}
        onDurationChange={refresh}
      />
      <IconButton
        className="player__play"
        icon={state.isPlaying ? "pause" : "play"}
        label={`${state.isPlaying ? t("ui.pause") : t("ui.play")}: ${title}`}
        onClick={toggle}
      />
      <Track url={url} title={title} at={state.at} length={state.length} onSeek={seek} onToggle={toggle} />
      <span className="player__clock number">
        {formatClock(state.at)} / {formatClock(state.length)}
      </span>
    </div>
  );
}

type TrackProps = { url: string; title: string; at: number; length: number; onSeek: (to: number) => void; onToggle: () => void };

/** The waveform with a range input over it, so that every way of setting a slider works. */
function Track({ url, title, at, length, onSeek, onToggle }: TrackProps) {
  const peaks = usePeaks(url);
  const onKeyDown = (event: KeyboardEvent) => {
    const target = { ArrowRight: at + 5, ArrowLeft: at - 5, Home: 0, End: length - 0.1 }[event.key];
    if (target === undefined && event.key !== " ") return;
    event.preventDefault();
    if (target === undefined) onToggle();
    else onSeek(Math.min(Math.max(target, 0), length));
  };
  return (
    <div className="player__wave">
      <Wave peaks={peaks ?? flat} played={length > 0 ? at / length : 0} />
      <input
        type="range"
        min={0}
        max={length}
        step="any"
        value={at}
        aria-label={t("ui.position", { title })}
        aria-valuetext={`${formatClock(at)} / ${formatClock(length)}`}
        onKeyDown={onKeyDown}
        onChange={(event) => onSeek(event.target.valueAsNumber)}
      />
    </div>
  );
}

function Wave({ peaks, played }: { peaks: readonly number[]; played: number }) {
  const canvas = useRef<HTMLCanvasElement>(null);
  useEffect(() => {
    const element = canvas.current;
    if (element === null) return;
    const draw = () => drawPeaks(element, peaks, played);
    draw();
    const resized = new ResizeObserver(draw);
    resized.observe(element);
    return () => resized.disconnect();
  }, [peaks, played]);
  return <canvas ref={canvas} aria-hidden="true" />;
}

function usePeaks(url: string): readonly number[] | null {
  const [peaks, setPeaks] = useState<{ url: string; values: readonly number[] } | null>(null);
  useEffect(() => {
    const stop = new AbortController();
    const load = async () => {
      const response = await fetch(url, { signal: stop.signal });
      if (!response.ok) return;
      setPeaks({ url, values: await readPeaks(await response.arrayBuffer(), bars) });
    };
    // Without its picture the audio still plays.
    load().catch(() => undefined);
    return () => stop.abort();
  }, [url]);
  return peaks?.url === url ? peaks.values : null;
}
