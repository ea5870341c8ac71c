import { t } from "../../i18n/translate.ts";
import { Button, LinkButton } from "../../ui/button.tsx";
import type { IconName } from "../../ui/icon.tsx";
import { EmptyState } from "../../ui/states.tsx";

/** A list without a row: either nothing fits what was looked for, or nothing was made yet. */
export function Nothing({ onClear, title, hint, icon }: { onClear: (() => void) | null; title: string; hint: string; icon: IconName }) {
  if (onClear !== null) {
    return (
      <EmptyState title={t("tasks.noneFound")} icon="search" action={<Button onClick={onClear}>{t("tasks.clear")}</Button>}>
        {t("tasks.noneFoundHint")}
      </EmptyState>
    );
  }
  const make = (
    <LinkButton to="/" variant="primary">
      {t("tasks.make")}
    </LinkButton>
  );
  return (
    <EmptyState title={title} icon={icon} action={make}>
      {hint}
    </EmptyState>
  );
}
