import type { ReactNode } from "react";
import { sameOrigin } from "../api/client.ts";
import { madeOf, type MadePicture, type Made, type Song } from "../api/task-result.ts";
import type { Task } from "../api/tasks.ts";
import { t } from "../i18n/translate.ts";
import { AudioPlayer } from "./audio-player.tsx";
import { Badge } from "./badge.tsx";
import { DownloadButton } from "./button.tsx";
import { CodeBlock } from "./code-block.tsx";
import { CopyButton } from "./copy-button.tsx";
import { fileName } from "./file-name.ts";
import { PictureGrid } from "./lightbox.tsx";
import { VideoPlayer } from "./video-player.tsx";

/** Further buttons for what was made: for each song, for each picture, for the whole. */
export type OutputActions = {
  song?: (song: Song) => ReactNode;
  /** `isGrid`: the picture is one of several that can be enlarged or varied by their number. */
  picture?: (picture: MadePicture, index: number, isGrid: boolean) => ReactNode;
  whole?: (made: Made) => ReactNode;
};

/** What a finished task has made, to be played, looked at and saved. */
export function TaskOutput({
  task,
  actions = {},
}: {
  task: Pick<Task, "id" | "kind" | "result" | "prompt" | "assets">;
  actions?: OutputActions;
}) {
  const made = madeOf(task);
  if (made === null) return null;
  const nameOf = (title: string, url: string) => fileName(title || task.prompt || task.id, url, task.assets);
  switch (made.kind) {
    case "music":
      return (
        <ul className="stack">
          {made.songs.map((song) => (
            <SongView key={song.id || song.audio} song={song} name={nameOf(song.title, song.audio)} extra={actions.song?.(song)} />
          ))}
        </ul>
      );
    case "video":
      return (
        <div className="stack stack--s">
          <VideoPlayer src={made.url} poster={made.cover} title={task.prompt || t("ui.video")} />
          <div className="row">
            <DownloadButton href={sameOrigin(made.url)} name={nameOf("", made.url)}>
              {t("ui.download")}
            </DownloadButton>
            {actions.whole?.(made)}
          </div>
        </div>
      );
    case "image":
      return <Pictures made={made} prompt={task.prompt} nameOf={nameOf} actions={actions} />;
    case "audio":
      return <Sound url={made.url} title={task.prompt || t("ui.audio")} name={nameOf("", made.url)} extra={actions.whole?.(made)} />;
    case "lyrics":
      return <Text text={made.text} title={made.title} tags={made.tags} extra={actions.whole?.(made)} />;
    case "text":
      return <Text text={made.text} />;
    case "other":
      return <CodeBlock code={JSON.stringify(made.value, null, 2)} label={t("ui.result")} />;
  }
}

function Sound({ url, title, name, extra }: { url: string; title: string; name: string; extra: ReactNode }) {
  return (
    <div className="stack stack--s">
      <AudioPlayer src={url} title={title} />
      <div className="row">
        <DownloadButton href={sameOrigin(url)} name={name}>
          {t("ui.download")}
        </DownloadButton>
        {extra}
      </div>
    </div>
  );
}

function Text({ text, title = "", tags = [], extra }: { text: string; title?: string; tags?: readonly string[]; extra?: ReactNode }) {
  return (
    <div className="stack stack--s">
      {title !== "" && <h3>{title}</h3>}
      {tags.length > 0 && <Tags tags={tags} />}
      <p className="prewrap">{text}</p>
      <div className="row">
        <CopyButton text={text}>{t("ui.copy")}</CopyButton>
        {extra}
      </div>
    </div>
  );
}

function SongView({ song, name, extra }: { song: Song; name: string; extra: ReactNode }) {
  const title = song.title || t("ui.untitled");
  return (
    <li className="song">
      {song.image !== "" && <img className="song__cover" src={sameOrigin(song.image)} alt="" />}
      <div className="song__body stack stack--s">
        <div>
          <h3>{title}</h3>
          <Tags tags={song.tags.split(/[,，]/).map((tag) => tag.trim())} />
        </div>
        {song.audio !== "" && <AudioPlayer src={song.audio} title={title} />}
        <div className="row">
          {song.audio !== "" && (
            <DownloadButton href={sameOrigin(song.audio)} name={name}>
              {t("ui.download")}
            </DownloadButton>
          )}
          {extra}
        </div>
        {song.lyrics !== "" && (
          <details className="song__lyrics">
            <summary>{t("ui.lyrics")}</summary>
            <p className="prewrap">{song.lyrics}</p>
          </details>
        )}
      </div>
    </li>
  );
}

type PicturesProps = {
  made: Extract<Made, { kind: "image" }>;
  prompt: string;
  nameOf: (title: string, url: string) => string;
  actions: OutputActions;
};

function Pictures({ made, prompt, nameOf, actions }: PicturesProps) {
  const pictures = made.pictures.map(({ url }, index) => ({
    url,
    alt: prompt || t("ui.picture", { n: index + 1 }),
    name: nameOf(made.pictures.length > 1 ? `${prompt.slice(0, 70)} ${index + 1}` : "", url),
  }));
  const isOne = made.pictures.length === 1;
  const under = (index: number) => {
    const picture = made.pictures[index];
    return picture && actions.picture?.(picture, index, made.grid !== "");
  };
  return (
    <div className="stack stack--s">
      <PictureGrid pictures={pictures} under={isOne ? undefined : under} />
      {made.texts.length > 0 && <p className="prewrap">{made.texts.join("\n\n")}</p>}
      <div className="row">
        {made.grid === "" && made.pictures[0] && (
          <DownloadButton href={sameOrigin(made.pictures[0].url)} name={nameOf("", made.pictures[0].url)}>
            {t("ui.download")}
          </DownloadButton>
        )}
        {made.grid !== "" && (
          <DownloadButton href={sameOrigin(made.grid)} name={nameOf("", made.grid)}>
            {t("ui.downloadGrid")}
          </DownloadButton>
        )}
        {isOne && under(0)}
        {actions.whole?.(made)}
      </div>
    </div>
  );
}

function Tags({ tags }: { tags: readonly string[] }) {
  const shown = [...new Set(tags)].filter((tag) => tag !== "").slice(0, 8);
  return (
    <div className="row tags">
      {shown.map((tag) => (
        <Badge key={tag}>{tag}</Badge>
      ))}
    </div>
  );
}
