import { CopyButton } from "./copy-button.tsx";

/** Code or raw text to read and copy. */
export function CodeBlock({ code, label }: { code: string; label: string }) {
  return (
    <div className="code">
      {/* oxlint-disable-next-line jsx-a11y/no-noninteractive-tabindex -- a region that scrolls must be reachable by keyboard */}
      <section className="code__text" tabIndex={0} aria-label={label}>
        <pre>
          <code>{code}</code>
        </pre>
      </section>
      <div className="code__copy">
        <CopyButton text={code} />
      </div>
    </div>
  );
}
