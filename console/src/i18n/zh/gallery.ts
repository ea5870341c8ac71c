import type { gallery as en } from "../en/gallery.ts";

export const gallery: Record<keyof typeof en, string> = {
  "gallery.title": "作品",
};
