import { t } from "../../i18n/translate.ts";
import { useAddress } from "../../ui/address.ts";
import { Select } from "../../ui/field.tsx";
import { DeliveryTable } from "./delivery-table.tsx";
import { states, useDeliveries } from "./webhook-data.ts";

/** Messages of all webhooks, by state. */
export function AllDeliveries({ account }: { account: string | null }) {
  const { search, change } = useAddress();
  const asked = search.get("state");
  const state = states.find((each) => each === asked) ?? null;
  const list = useDeliveries(account, state);
  return (
    <div className="stack stack--s">
      <Select
        className="webhooks-account"
        aria-label={t("webhooks.state")}
        value={state ?? ""}
        onChange={(value) => change({ state: value })}
        options={[
          { value: "", label: t("webhooks.state.all") },
          ...states.map((value) => ({ value, label: t(`webhooks.state.${value}`) })),
        ]}
      />
      <DeliveryTable list={list} showsTarget />
    </div>
  );
}
