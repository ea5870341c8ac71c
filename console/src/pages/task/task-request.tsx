import { useState } from "react";
import type { Task } from "../../api/tasks.ts";
import { t } from "../../i18n/translate.ts";
import { CodeBlock } from "../../ui/code-block.tsx";
import { Tabs } from "../../ui/tabs.tsx";
import { snippet, type SnippetLanguage } from "../playground/snippets.ts";

type Language = "json" | SnippetLanguage;

const languages: { value: Language; label: string }[] = [
  { value: "json", label: "JSON" },
  { value: "curl", label: "curl" },
  { value: "typescript", label: "TypeScript" },
  { value: "python", label: "Python" },
];

/** The request that makes the same again, as data and as code. */
export function TaskRequest({ request }: { request: Task["request"] | undefined }) {
  const [language, setLanguage] = useState<Language>("json");
  return (
    <section className="card stack stack--s" aria-labelledby="task-request">
      <h2 id="task-request">{t("task.request")}</h2>
      {!request && <p className="small muted">{t("task.noRequest")}</p>}
      {request && (
        <>
          <p className="small mono task-path">POST {request.path}</p>
          <Tabs label={t("task.requestAs")} tabs={languages} value={language} onChange={setLanguage}>
            <CodeBlock code={codeOf(language, request)} label={t("task.requestAs")} />
          </Tabs>
        </>
      )}
    </section>
  );
}

function codeOf(language: Language, { path, body }: NonNullable<Task["request"]>): string {
  return language === "json" ? JSON.stringify(body, null, 2) : snippet(language, { path, body, sends: "json" }, location.origin);
}
