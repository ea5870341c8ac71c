import type { gallery as en } from "../en/gallery.ts";

export const gallery: Record<keyof typeof en, string> = {
  "gallery.title": "作品",
  "gallery.made": "全部作品",
  "gallery.open": "打开：{name}",
  "gallery.songs": "{n} 首歌曲",
  "gallery.pictures": "{n} 张图片",
  "gallery.details": "时间线与请求",
  "gallery.prompt": "提示词",
  "gallery.previous": "上一个",
  "gallery.next": "下一个",
  "gallery.none": "还没有作品",
  "gallery.noneHint": "歌曲、视频、图片和文字完成后会自动收集到这里。",
};
