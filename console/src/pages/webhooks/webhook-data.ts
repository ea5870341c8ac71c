import { useQuery } from "@tanstack/react-query";
import { client, read, type Reply } from "../../api/client.ts";
import { usePaged } from "../../api/paged.ts";
import { useSeat } from "../../app/session.tsx";

type Owned = { account: string };
export type Endpoint = Reply<"/v1/webhooks">["data"][number] & Owned;
export type Delivery = Reply<"/v1/webhooks/{id}/deliveries">["data"][number] & Owned;
export const states = ["pending", "delivered", "failed", "dropped"] as const;
export type State = (typeof states)[number];

/** Webhooks of all accounts or one for staff, of their own account for clients. */
export function useEndpoints(account: string | null) {
  const { isStaff, account: own } = useSeat();
  return usePaged<Endpoint>(
    ["webhooks", isStaff ? account : own?.id],
    async (page) => {
      if (isStaff) return read(client.GET("/admin/v1/webhooks", { params: { query: { ...page, ...(account && { account }) } } }));
      return owned(await read(client.GET("/v1/webhooks")), own?.id ?? "");
    },
    ({ id }) => id,
  );
}

/** One webhook; staff find it among all. */
export function useEndpoint(id: string) {
  const { isStaff, account } = useSeat();
  return useQuery({
    queryKey: ["webhooks", "one", id],
    queryFn: async (): Promise<Endpoint | null> => {
      if (!isStaff) {
        const endpoint = await read(client.GET("/v1/webhooks/{id}", { params: { path: { id } } }));
        return { ...endpoint, account: account?.id ?? "" };
      }
      for (let after: string | undefined; ;) {
        const page = await read(client.GET("/admin/v1/webhooks", { params: { query: { limit: "100", ...(after && { after }) } } }));
        const found = page.data.find((endpoint) => endpoint.id === id);
        if (found !== undefined || !page.has_more) return found ?? null;
        after = page.data.at(-1)?.id;
      }
    },
  });
}

/** Messages to one webhook, newest first. */
export function useDeliveriesOf(id: string) {
  const { isStaff, account } = useSeat();
  return usePaged<Delivery>(
    ["deliveries", id],
    async (query) => {
      const params = { path: { id }, query };
      if (isStaff) return read(client.GET("/admin/v1/webhooks/{id}/deliveries", { params }));
      return owned(await read(client.GET("/v1/webhooks/{id}/deliveries", { params })), account?.id ?? "");
    },
    (delivery) => delivery.id,
    { refetchInterval: 4000 },
  );
}

/** Messages to all webhooks, for staff. */
export function useDeliveries(account: string | null, state: State | null) {
  return usePaged<Delivery>(
    ["deliveries", "all", account, state],
    (page) => {
      const query = { ...page, ...(account && { account }), ...(state && { state }) };
      return read(client.GET("/admin/v1/deliveries", { params: { query } }));
    },
    ({ id }) => id,
    { refetchInterval: 5000 },
  );
}

/** What was sent in a message, as text; null before the first try. */
export async function bodyOf({ id }: Delivery, isStaff: boolean): Promise<string | null> {
  const params = { path: { id } };
  const { body } = isStaff
    ? await read(client.GET("/admin/v1/deliveries/{id}", { params }))
    : await read(client.GET("/v1/webhooks/deliveries/{id}", { params }));
  return body;
}

export function resend({ id }: Delivery, isStaff: boolean): Promise<unknown> {
  const params = { path: { id } };
  return isStaff
    ? read(client.POST("/admin/v1/deliveries/{id}/resend", { params }))
    : read(client.POST("/v1/webhooks/deliveries/{id}/resend", { params }));
}

/** Headers of a request about something of an account that may not be the chosen one. */
export function onBehalf(account: string, isStaff: boolean): Record<string, string> {
  return isStaff ? { "x-genway-account": account } : {};
}

function owned<T>({ data, has_more }: { data: T[]; has_more: boolean }, account: string) {
  return { data: data.map((row) => ({ ...row, account })), has_more };
}
