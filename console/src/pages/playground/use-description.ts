import { useQuery } from "@tanstack/react-query";
import { useMemo } from "react";
import { send } from "../../api/client.ts";
import { queryClient } from "../../api/queries.ts";
import { fieldsOf, type FormField } from "./schema-fields.ts";

const descriptionQuery = { queryKey: ["openapi"], queryFn: readDescription, staleTime: Infinity, gcTime: Infinity };

// Every form needs it: it is under way as soon as this page is.
void queryClient.prefetchQuery(descriptionQuery);

/** The fields of a create as the service describes them; undefined while the description is loading. */
export function useFields(path: string): { fields: readonly FormField[] | undefined; error: unknown; retry: () => void } {
  const query = useQuery(descriptionQuery);
  const fields = useMemo(() => (query.data === undefined ? undefined : fieldsOf(query.data, path)), [query.data, path]);
  return { fields, error: query.error, retry: () => void query.refetch() };
}

async function readDescription(): Promise<unknown> {
  return (await send("/openapi.json")).json();
}
