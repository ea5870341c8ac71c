import { useSearchParams } from "wouter";
import { t } from "../../i18n/translate.ts";
import { Select } from "../../ui/field.tsx";
import { DeliveryTable } from "./delivery-table.tsx";
import { states, useDeliveries } from "./webhook-data.ts";

/** Messages of all webhooks, by state. */
export function AllDeliveries({ account }: { account: string | null }) {
  const [search, setSearch] = useSearchParams();
  const asked = search.get("state");
  const state = states.find((each) => each === asked) ?? null;
  const list = useDeliveries(account, state);
  const choose = (value: string) =>
    setSearch(
      (before) => {
        if (value === "") before.delete("state");
        else before.set("state", value);
        return before;
      },
      { replace: true },
    );
  return (
    <div className="stack stack--s">
      <Select
        className="webhooks-account"
        aria-label={t("webhooks.state")}
        value={state ?? ""}
        onChange={choose}
        options={[
          { value: "", label: t("webhooks.state.all") },
          ...states.map((value) => ({ value, label: t(`webhooks.state.${value}`) })),
        ]}
      />
      <DeliveryTable list={list} showsTarget />
    </div>
  );
}
