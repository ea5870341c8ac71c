import { keepPreviousData, useQuery } from "@tanstack/react-query";
import { client, read } from "../../api/client.ts";
import { useSeat } from "../../app/session.tsx";
import { t } from "../../i18n/translate.ts";
import { parametersOf, type Question, type Side } from "./usage-question.ts";

/** All together, and told apart when that is asked for. */
export function useUsage(question: Question) {
  const all = useSeries(question, false);
  const grouped = useSeries(question, true, question.by !== null);
  return { all, grouped: question.by === null ? null : grouped };
}

function useSeries(question: Question, isGrouped: boolean, enabled = true) {
  const { account, isStaff } = useSeat();
  const query = parametersOf(question, isGrouped);
  return useQuery({
    queryKey: ["usage", isStaff ? question.account : account?.id, query],
    queryFn: () =>
      isStaff
        ? read(
            client.GET("/admin/v1/usage/series", {
              params: { query: { ...query, ...(question.account && { account: question.account }) } },
            }),
          )
        : read(client.GET("/v1/usage", { params: { query } })),
    placeholderData: keepPreviousData,
    enabled,
  });
}

/** Where the same numbers are to be had for spreadsheets. */
export function csvAddress(question: Question, isStaff: boolean): string {
  const query = new URLSearchParams({ ...parametersOf(question, true), format: "csv" });
  if (isStaff && question.account !== null) query.set("account", question.account);
  return `${isStaff ? "/admin/v1/usage/series" : "/v1/usage"}?${query.toString()}`;
}

/** What to call a value by which usage is told apart: accounts and keys have names. */
export function useNames(): (side: Side, value: string) => string {
  const { accounts, isStaff } = useSeat();
  const keys = useQuery({
    queryKey: ["keys", "names"],
    queryFn: () => read(client.GET("/admin/v1/keys", { params: { query: { limit: "100" } } })),
    enabled: isStaff,
  });
  return (side, value) => {
    if (value === "*") return t("usage.others");
    if (value === "") return side === "key" ? t("usage.noKey") : t("usage.noName");
    if (side === "account") return accounts.find(({ id }) => id === value)?.name ?? value;
    if (side !== "key") return value;
    const key = keys.data?.data.find(({ id }) => id === value);
    return key === undefined ? value : `${key.name} (…${key.last_four})`;
  };
}
