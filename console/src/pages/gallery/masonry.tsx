import { useWindowVirtualizer } from "@tanstack/react-virtual";
import { useEffect } from "react";
import { t } from "../../i18n/translate.ts";
import { Skeleton, Spinner } from "../../ui/progress.tsx";
import { usePlace } from "../tasks/window-list.ts";
import { GalleryCard } from "./gallery-card.tsx";
import { cardHeight, type GalleryItem } from "./gallery-item.ts";

type MasonryProps = {
  items: readonly GalleryItem[] | undefined;
  hasMore: boolean;
  isLoadingMore: boolean;
  onMore: () => void;
  onOpen: (id: string) => void;
  /** Told whether the reader has left the top. */
  onAway: (isAway: boolean) => void;
};

const gap = 16;
const ahead = 24;

/** Cards in columns, each as high as what it shows; only those near the window are drawn. */
export function Masonry({ items, hasMore, isLoadingMore, onMore, onOpen, onAway }: MasonryProps) {
  const { element, top, width } = usePlace<HTMLDivElement>();
  const lanes = columnsIn(width);
  const columnWidth = (width - gap * (lanes - 1)) / lanes;
  const count = items?.length ?? 0;
  // oxlint-disable-next-line react/incompatible-library -- no compiler memoises this
  const virtual = useWindowVirtualizer({
    count,
    lanes,
    gap,
    overscan: 12,
    scrollMargin: top,
    estimateSize: (index) => (items?.[index] ? cardHeight(items[index], columnWidth) : 0),
    getItemKey: (index) => items?.[index]?.id ?? index,
  });
  useEffect(() => virtual.measure(), [virtual, columnWidth, items]);
  const shown = virtual.getVirtualItems();
  const last = shown.at(-1)?.index ?? 0;
  useEffect(() => {
    if (hasMore && !isLoadingMore && last >= count - ahead) onMore();
  }, [hasMore, isLoadingMore, last, count, onMore]);
  const isAway = (virtual.scrollOffset ?? 0) > top;
  useEffect(() => onAway(isAway), [isAway, onAway]);
  return (
    <>
      <div ref={element} className="gallery-masonry" style={{ height: `${virtual.getTotalSize()}px` }}>
        {shown.map(({ index, start, size, lane }) => {
          const item = items?.[index];
          const x = lane * (columnWidth + gap);
          return (
            item && (
              <div
                key={item.id}
                className="gallery-masonry__place"
                style={{ width: `${columnWidth}px`, height: `${size}px`, transform: `translate(${x}px, ${start - top}px)` }}
              >
                <GalleryCard item={item} onOpen={onOpen} />
              </div>
            )
          );
        })}
      </div>
      {items === undefined && <Waiting />}
      {isLoadingMore && (
        <div className="gallery-more">
          <Spinner label={t("ui.loading")} />
        </div>
      )}
    </>
  );
}

function Waiting() {
  return (
    <div className="grid" aria-busy="true">
      {[1, 2, 3, 4, 5, 6].map((place) => (
        <Skeleton key={place} width="100%" height="14rem" />
      ))}
    </div>
  );
}

function columnsIn(width: number): number {
  const narrowest = width < 560 ? 150 : 230;
  return Math.max(1, Math.floor((width + gap) / (narrowest + gap)));
}
