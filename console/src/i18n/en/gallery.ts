export const gallery = {
  "gallery.title": "Gallery",
} as const;
