import { useSearchParams } from "wouter";
import { t } from "../../i18n/translate.ts";
import { Page } from "../../ui/page.tsx";
import { Tabs } from "../../ui/tabs.tsx";
import { ConfigCheck } from "./config-check.tsx";
import { LoadedModels } from "./loaded-models.tsx";
import "./models.css";

export function ModelsPage() {
  const [search, setSearch] = useSearchParams();
  const view = search.get("view") === "check" ? "check" : "loaded";
  return (
    <Page title={t("models.title")}>
      <Tabs
        label={t("models.view")}
        tabs={[
          { value: "loaded", label: t("models.tab.loaded") },
          { value: "check", label: t("models.tab.check") },
        ]}
        value={view}
        onChange={(next) => setSearch(next === "check" ? { view: "check" } : {}, { replace: true })}
      >
        {view === "check" ? <ConfigCheck /> : <LoadedModels />}
      </Tabs>
    </Page>
  );
}
