import { t } from "../../i18n/translate.ts";
import { Button } from "../../ui/button.tsx";
import type { Problem } from "./problem.ts";

const around = 2;

type ProblemListProps = { problems: readonly Problem[]; lines: readonly string[]; onShow: ((line: number) => void) | null };

/** What is wrong with a file: each problem with the lines around it, its own marked. */
export function ProblemList({ problems, lines, onShow }: ProblemListProps) {
  return (
    <ol className="models-problems" aria-label={t("models.check.problems")}>
      {problems.map(({ line, column, path, says }, index) => (
        <li key={`${line ?? 0} ${path} ${index}`} className="card card--flush models-problem">
          <div className="models-problem__head">
            <div className="grow">
              <p>
                {path !== "" && <code className="models-problem__path">{path}</code>} {says}
              </p>
              <p className="muted small number">{whereIs(line, column)}</p>
            </div>
            {line !== null && onShow && (
              <Button size="s" onClick={() => onShow(line)}>
                {t("models.check.show")}
              </Button>
            )}
          </div>
          {line !== null && <Lines lines={lines} line={line} column={column} />}
        </li>
      ))}
    </ol>
  );
}

function whereIs(line: number | null, column: number | null): string {
  if (line === null) return t("models.check.file");
  // Plain digits: a number with separators is no line of an editor.
  return column === null
    ? t("models.check.atLine", { line: String(line) })
    : t("models.check.at", { line: String(line), column: String(column) });
}

function Lines({ lines, line, column }: { lines: readonly string[]; line: number; column: number | null }) {
  const first = Math.max(1, line - around);
  const shown = lines.slice(first - 1, line + around);
  return (
    // oxlint-disable-next-line jsx-a11y/no-noninteractive-tabindex -- a region that scrolls must be reachable by keyboard
    <section className="models-lines" tabIndex={0} aria-label={whereIs(line, column)}>
      {shown.map((text, index) => {
        const number = first + index;
        const isIt = number === line;
        return (
          <div key={number} className={isIt ? "models-line models-line--it" : "models-line"}>
            <span className="models-line__number" aria-hidden="true">
              {number}
            </span>
            {isIt ? <mark className="models-line__mark">{text === "" ? " " : text}</mark> : text}
            {isIt && column !== null && <div className="models-line__column" aria-hidden="true">{`${" ".repeat(column - 1)}^`}</div>}
          </div>
        );
      })}
    </section>
  );
}
