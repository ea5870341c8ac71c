export const gallery = {
  "gallery.title": "Gallery",
  "gallery.made": "Everything made",
  "gallery.open": "Open: {name}",
  "gallery.songs": "{n} songs",
  "gallery.pictures": "{n} pictures",
  "gallery.details": "Timeline and request",
  "gallery.prompt": "Prompt",
  "gallery.previous": "Previous",
  "gallery.next": "Next",
  "gallery.none": "Nothing made yet",
  "gallery.noneHint": "Songs, videos, pictures and texts are collected here as soon as they are done.",
} as const;
