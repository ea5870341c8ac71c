import { t } from "../../i18n/translate.ts";
import { Page } from "../../ui/page.tsx";
import { EmptyState } from "../../ui/states.tsx";

export function GalleryPage() {
  return (
    <Page title={t("gallery.title")}>
      <EmptyState title={t("ui.nothingYet")} />
    </Page>
  );
}
