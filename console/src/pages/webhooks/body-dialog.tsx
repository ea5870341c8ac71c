import { useQuery } from "@tanstack/react-query";
import { useSeat } from "../../app/session.tsx";
import { t } from "../../i18n/translate.ts";
import { CodeBlock } from "../../ui/code-block.tsx";
import { Dialog } from "../../ui/dialog.tsx";
import { Skeleton } from "../../ui/progress.tsx";
import { ErrorState } from "../../ui/states.tsx";
import { bodyOf, type Delivery } from "./webhook-data.ts";

/** What was sent in a message, as text. */
export function BodyDialog({ delivery, onClose }: { delivery: Delivery; onClose: () => void }) {
  const { isStaff } = useSeat();
  const query = useQuery({ queryKey: ["deliveries", "body", delivery.id], queryFn: () => bodyOf(delivery, isStaff) });
  return (
    <Dialog title={t("webhooks.body")} size="l" onClose={onClose}>
      {query.isError ? (
        <ErrorState error={query.error} onRetry={() => void query.refetch()} />
      ) : query.data === undefined ? (
        <Skeleton width="100%" height="8rem" />
      ) : query.data === null ? (
        <p className="muted">{t("webhooks.body.none")}</p>
      ) : (
        <CodeBlock code={indented(query.data)} label={t("webhooks.body")} />
      )}
    </Dialog>
  );
}

function indented(text: string): string {
  try {
    return JSON.stringify(JSON.parse(text), null, 2);
  } catch {
    return text;
  }
}
