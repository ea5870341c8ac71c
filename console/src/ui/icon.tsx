/** Outline icons on a 24 grid, drawn here so that nothing is loaded. */
const paths = {
  music: "M9 18V6l10-2v12M9 18a2.5 2.5 0 1 1-5 0 2.5 2.5 0 0 1 5 0ZM19 16a2.5 2.5 0 1 1-5 0 2.5 2.5 0 0 1 5 0Z",
  video:
    "M4 6.500h11a1.5 1.5 0 0 1 1.5 1.500v8a1.5 1.5 0 0 1-1.5 1.500H4A1.5 1.5 0 0 1 2.5 16V8A1.5 1.5 0 0 1 4 6.500ZM16.5 10.500l5-3v9l-5-3",
  image:
    "M4.5 4h15A1.5 1.5 0 0 1 21 5.500v13a1.5 1.5 0 0 1-1.5 1.500h-15A1.5 1.5 0 0 1 3 18.500v-13A1.5 1.5 0 0 1 4.5 4ZM3.5 17l5-5 4 4 3-3 5 5M15.5 9.500h.01",
  speech: "M12 3.500a3 3 0 0 1 3 3v5a3 3 0 0 1-6 0v-5a3 3 0 0 1 3-3ZM5.5 11.500a6.5 6.5 0 0 0 13 0M12 18v3",
  transcript: "M4 6h16M4 10.500h10M4 15h16M4 19.500h7",
  chat: "M4.5 5h15A1.5 1.5 0 0 1 21 6.500v9a1.5 1.5 0 0 1-1.5 1.500H11l-4.5 4v-4h-2A1.5 1.5 0 0 1 3 15.500v-9A1.5 1.5 0 0 1 4.5 5Z",
  text: "M5 6V4.500h14V6M12 4.500v15M9 19.500h6",
  vectors: "M5 19 19 5M5 19V9M5 19h10M19 5v5M19 5h-5",
  lyrics: "M6 3.500h9l4 4v13H6zM15 3.500v4h4M9 12h7M9 16h5",
  sparkle: "M12 3.5 13.8 9l5.7 2-5.7 2L12 18.5 10.2 13 4.5 11l5.7-2zM19 16.500v4M17 18.500h4",
  gallery: "M4 4h7v7H4zM13 4h7v7h-7zM4 13h7v7H4zM13 13h7v7h-7z",
  tasks: "M9 6h11M9 12h11M9 18h11M4 6h.01M4 12h.01M4 18h.01",
  usage: "M4 20V10M10 20V4M16 20v-7M21 20H3",
  money: "M3.5 6.500h17v11h-17zM12 14.500a2.5 2.5 0 1 0 0-5 2.5 2.5 0 0 0 0 5ZM6.5 9.500h.01M17.5 14.500h.01",
  key: "M14 10a4.5 4.5 0 1 1-4.5-4.500A4.5 4.5 0 0 1 14 10ZM12.8 13.2 20 20.500M17 17.500l2-2",
  plug: "M8 3v5M16 3v5M6 8h12v3a6 6 0 0 1-12 0zM12 17v4",
  models: "M12 3 20 7.500v9L12 21l-8-4.500v-9zM4 7.500l8 4.5 8-4.500M12 12v9",
  webhook: "M8 12a4 4 0 1 1 4-4M12 8l4 8M16 16a3.5 3.5 0 1 1 2.5 3.500M8 12l-2 4M6 16a3 3 0 1 0 2 3h8",
  audit: "M12 3 5 6v5.500c0 4.5 3 7.5 7 9.5 4-2 7-5 7-9.500V6zM9 12l2.2 2.200L15.5 10",
  system: "M4 5h16v6H4zM4 13h16v6H4zM8 8h.01M8 16h.01",
  play: "M7.5 5v14l11-7z",
  pause: "M8 5.500v13M16 5.500v13",
  download: "M12 4v11M7.5 11l4.5 4.5 4.5-4.500M4.5 20h15",
  copy: "M9 9h11v11H9zM5 15H4V4h11v1",
  check: "M5 12.500l4.5 4.500L19 7.5",
  close: "M6 6l12 12M18 6 6 18",
  more: "M6 12h.01M12 12h.01M18 12h.01",
  menu: "M4 7h16M4 12h16M4 17h16",
  chevron: "M8 10l4 4 4-4",
  search: "M11 18a7 7 0 1 0 0-14 7 7 0 0 0 0 14ZM16 16l4.5 4.5",
  plus: "M12 5v14M5 12h14",
  trash: "M4.5 7h15M9.5 7V4.500h5V7M6.5 7l1 13h9l1-13M10 11v5.500M14 11v5.5",
  refresh: "M20 11A8 8 0 0 0 5.5 7L3.5 9.500M3.5 4.500v5h5M4 13a8 8 0 0 0 14.5 4l2-2.500M20.5 19.500v-5h-5",
  alert: "M12 4 2.5 20h19zM12 10v4.500M12 17.500h.01",
  info: "M12 21a9 9 0 1 0 0-18 9 9 0 0 0 0 18ZM12 11v5.500M12 7.500h.01",
  upload: "M12 16V5M7.5 9.5 12 5l4.5 4.500M4.5 20h15",
  sun: "M12 16.500a4.5 4.5 0 1 0 0-9 4.5 4.5 0 0 0 0 9ZM12 2.500v2M12 19.500v2M2.5 12h2M19.5 12h2M5.3 5.300l1.4 1.400M17.3 17.300l1.4 1.400M5.3 18.700l1.4-1.400M17.3 6.700l1.4-1.4",
  moon: "M20 14.500A8.5 8.5 0 0 1 9.5 4a8.5 8.5 0 1 0 10.5 10.500Z",
  language: "M4 6h9M8.5 4v2M11 6c-.7 4-3 7-6.5 8.500M6 9c1 2.5 3 4.5 5.5 5.500M13 20l4-9.500L21 20M14.3 17h5.4",
  exit: "M14 4H5v16h9M10 12h11M17.5 8.5 21 12l-3.5 3.5",
  code: "M8.5 7 3.5 12l5 5M15.5 7l5 5-5 5",
  compare: "M4 5h6.500v14H4zM13.5 5H20v14h-6.500z",
  zoom: "M4 9V4h5M20 9V4h-5M4 15v5h5M20 15v5h-5",
  vary: "M4 8h10.500l-3-3M20 16H9.500l3 3M18 8h2M4 16h2",
  next: "M5 5.500v13l9-6.500zM18 5.500v13",
  external: "M14 4h6v6M20 4l-9 9M18 14v6H4V6h6",
} as const;

export type IconName = keyof typeof paths;

export function Icon({ name }: { name: IconName }) {
  return (
    <svg
      viewBox="0 0 24 24"
      fill="none"
      stroke="currentColor"
      strokeWidth="1.7"
      strokeLinecap="round"
      strokeLinejoin="round"
      aria-hidden="true"
    >
      <path d={paths[name]} fill={name === "play" ? "currentColor" : "none"} />
    </svg>
  );
}

export function Logo() {
  return (
    <svg viewBox="0 0 32 32" aria-hidden="true">
      <rect width="32" height="32" rx="8" fill="var(--accent)" />
      <path d="M8 13v6M13 9v14M18 12v8M23 14.500v3" stroke="var(--on-accent)" strokeWidth="2.6" strokeLinecap="round" />
    </svg>
  );
}
