import type { Reply } from "../../api/client.ts";
import { madeOf } from "../../api/task-result.ts";
import { nameOf } from "../task/task-words.ts";

type Wire = Reply<"/v1/tasks">["data"][number];

/** What a card shows of a finished task; its text is cut to what fits. */
export type GalleryItem = {
  id: string;
  kind: string;
  name: string;
  model: string;
  createdAt: number;
  face: Face;
};

/** How a card looks. */
export type Face =
  | { is: "pictures"; urls: string[]; count: number; ratio: number }
  | { is: "video"; url: string; cover: string }
  | { is: "song"; audio: string; cover: string; title: string; tags: string; count: number }
  | { is: "speech"; audio: string }
  | { is: "text"; title: string; text: string };

const mostPictures = 4;
const longestText = 420;

export function galleryItemOf(task: Wire): GalleryItem {
  const { id, kind, model, created_at: createdAt } = task;
  return { id, kind, name: nameOf(task).slice(0, 200), model, createdAt, face: faceOf(task) };
}

function faceOf(task: Wire): Face {
  const made = madeOf(task);
  switch (made?.kind) {
    case "music": {
      const [song] = made.songs;
      const { audio = "", image = "", title = "", tags = "" } = song ?? {};
      return { is: "song", audio, cover: image, title, tags, count: made.songs.length };
    }
    case "video":
      return { is: "video", url: made.url, cover: made.cover };
    case "image": {
      const urls = made.pictures.slice(0, mostPictures).map(({ url }) => url);
      if (urls.length === 0) return { is: "text", title: "", text: cut(made.texts.join("\n\n")) };
      return { is: "pictures", urls, count: made.pictures.length, ratio: ratioOf(made.pictures[0]?.size ?? "") };
    }
    case "audio":
      return { is: "speech", audio: made.url };
    case "lyrics":
      return { is: "text", title: made.title, text: cut(made.text) };
    case "text":
      return { is: "text", title: "", text: cut(made.text) };
    default:
      return { is: "text", title: "", text: task.prompt };
  }
}

function cut(text: string): string {
  return text.length > longestText ? `${text.slice(0, longestText)}…` : text;
}

/** Height by width of "1024x768"; a square where nobody knows, and nothing taller or flatter than a page can bear. */
function ratioOf(size: string): number {
  const [width = 0, height = 0] = size.split("x").map(Number);
  const ratio = width > 0 && height > 0 ? height / width : 1;
  return Math.min(Math.max(ratio, 0.5), 1.8);
}

const captionHeight = 62;
const borders = 2;

/** How high a card of a given width is: known before anything has loaded, so that nothing jumps. */
export function cardHeight({ face }: GalleryItem, width: number): number {
  return Math.round(faceHeight(face, width - borders)) + captionHeight + borders;
}

function faceHeight(face: Face, width: number): number {
  switch (face.is) {
    case "pictures":
      return face.urls.length === 1 ? width * face.ratio : width;
    case "video":
      return width * 0.5625;
    case "song":
      return width * 0.75;
    case "speech":
      return 72;
    case "text":
      return 168;
  }
}
