import type { AdvanceNeeds } from "../core/advance-port.ts";
import { loadInput } from "../core/load-input.ts";
import type { FetchMedia, Log, MediaStore, Store } from "../core/ports.ts";
import { fitPicture } from "../media/picture-fit.ts";
import { gridOf } from "../media/picture-grid.ts";
import { probeMedia } from "../media/probe.ts";

type Needs = { store: Store; media: MediaStore; fetchMedia: FetchMedia; log: Log };

/** What is done to the media that go into tasks and come out of them. */
export function mediaWork({ store, media, fetchMedia, log }: Needs): Pick<AdvanceNeeds, "probe" | "makeGrid" | "loadInput"> {
  return {
    probe: (key) => probeMedia(media, key),
    makeGrid: (pictures) =>
      gridOf(pictures).catch((error: unknown) => {
        log.warn({ cause: String(error) }, "pictures could not be put together");
        return null;
      }),
    loadInput: (file, account, signal, limits) => loadInput({ store, media, fetchMedia, fitPicture }, file, account, signal, limits),
  };
}
