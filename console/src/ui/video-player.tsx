import { sameOrigin } from "../api/client.ts";

/** Plays a video with the browser's own controls. */
export function VideoPlayer({ src, poster, title }: { src: string; poster?: string; title: string }) {
  return (
    // oxlint-disable-next-line jsx-a11y/media-has-caption -- made videos have no captions
    <video
      className="video"
      src={sameOrigin(src)}
      poster={poster ? sameOrigin(poster) : undefined}
      controls
      loop
      playsInline
      preload="auto"
      aria-label={title}
    />
  );
}
