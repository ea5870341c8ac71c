import { useId, useState, type KeyboardEvent } from "react";
import { formatNumber, t } from "../../i18n/translate.ts";
import type { Token } from "./text-stream.ts";

/** A text whose pieces show, when pointed at or walked through with the arrow keys, what else might have stood there. */
export function TokenText({ tokens, isLive }: { tokens: readonly Token[]; isLive: boolean }) {
  const [shown, setShown] = useState<number | null>(null);
  const id = useId();
  const caret = isLive && <span className="caret" aria-hidden="true" />;
  if (tokens.every(({ alternatives }) => alternatives.length === 0)) {
    return (
      <p className="prewrap" aria-busy={isLive}>
        {tokens.map((each) => each.text).join("")}
        {caret}
      </p>
    );
  }
  const token = shown === null ? undefined : tokens[shown];
  const onKeyDown = (event: KeyboardEvent) => {
    const step = { ArrowRight: 1, ArrowLeft: -1 }[event.key];
    if (step === undefined) return;
    event.preventDefault();
    setShown(Math.min(Math.max((shown ?? -1) + step, 0), tokens.length - 1));
  };
  return (
    <div className="tokens" onPointerLeave={() => setShown(null)}>
      {/* oxlint-disable-next-line jsx-a11y/no-noninteractive-tabindex, jsx-a11y/no-noninteractive-element-interactions -- arrow keys walk through the text */}
      <p className="prewrap" aria-busy={isLive} tabIndex={0} aria-describedby={id} onKeyDown={onKeyDown}>
        {tokens.map((each, index) => (
          <span
            key={index}
            className={index === shown ? "token token--shown" : "token"}
            data-sure={sureness(each)}
            onPointerEnter={() => setShown(index)}
          >
            {each.text}
          </span>
        ))}
        {caret}
      </p>
      <div className="tokens__tip" id={id} aria-live="polite">
        {token === undefined ? <span className="muted small">{t("playground.hoverToken")}</span> : <Alternatives token={token} />}
      </div>
    </div>
  );
}

function Alternatives({ token }: { token: Token }) {
  return (
    <ul className="alternatives">
      {token.alternatives.map(({ text, logprob }) => (
        <li key={text} className={text === token.text ? "alternative alternative--taken" : "alternative"}>
          <code>{visible(text)}</code>
          <span className="alternative__bar" aria-hidden="true">
            <span style={{ width: `${Math.exp(logprob) * 100}%` }} />
          </span>
          <span className="number">{formatNumber(Math.exp(logprob), { style: "percent", maximumFractionDigits: 1 })}</span>
        </li>
      ))}
    </ul>
  );
}

/** Whether something else was likelier, or nearly so. */
function sureness({ logprob }: Token): 0 | 1 {
  return logprob === null || Math.exp(logprob) > 0.1 ? 1 : 0;
}

function visible(text: string): string {
  return text.replaceAll("\n", "⏎").replaceAll(" ", "␣") || "∅";
}
