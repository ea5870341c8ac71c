import { t } from "../../i18n/translate.ts";
import { Page } from "../../ui/page.tsx";
import { EmptyState } from "../../ui/states.tsx";

export function SystemPage() {
  return (
    <Page title={t("system.title")}>
      <EmptyState title={t("ui.nothingYet")} />
    </Page>
  );
}
