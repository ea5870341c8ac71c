import { useLayoutEffect, useRef, useState } from "react";

/** Where an element begins in the document and how wide it is, kept up to date; lists that scroll with the window need both. */
export function usePlace<E extends HTMLElement>() {
  const element = useRef<E>(null);
  const [place, setPlace] = useState({ top: 0, width: 0 });
  useLayoutEffect(() => {
    const look = () => {
      if (element.current === null) return;
      const { top, width } = element.current.getBoundingClientRect();
      const next = { top: Math.round(top + window.scrollY), width: Math.floor(width) };
      setPlace((old) => (old.top === next.top && old.width === next.width ? old : next));
    };
    look();
    // What stands above may grow at any time, as a panel that loads later.
    const resized = new ResizeObserver(look);
    resized.observe(document.body);
    if (element.current !== null) resized.observe(element.current);
    return () => resized.disconnect();
  }, []);
  return { element, ...place };
}
