import { useState } from "react";
import { t } from "../../i18n/translate.ts";
import { CodeBlock } from "../../ui/code-block.tsx";
import { Dialog } from "../../ui/dialog.tsx";
import { Tabs } from "../../ui/tabs.tsx";
import type { Request } from "./request.ts";
import { snippet, type SnippetLanguage } from "./snippets.ts";
import type { Way } from "./ways.ts";

const languages = [
  { value: "curl", label: "curl" },
  { value: "typescript", label: "TypeScript" },
  { value: "python", label: "Python" },
] as const;

/** The request of the form as code to copy. */
export function CodeDialog({ way, request, onClose }: { way: Way; request: Request; onClose: () => void }) {
  const [language, setLanguage] = useState<SnippetLanguage>("curl");
  const code = snippet(language, request, location.origin);
  return (
    <Dialog title={t("playground.codeTitle")} size="l" onClose={onClose}>
      <Tabs label={t("playground.codeTitle")} tabs={languages} value={language} onChange={setLanguage}>
        <div className="stack stack--s">
          <CodeBlock code={code} label={`${way.path} · ${language}`} />
          <p className="muted small">{t("playground.codeHint")}</p>
        </div>
      </Tabs>
    </Dialog>
  );
}
