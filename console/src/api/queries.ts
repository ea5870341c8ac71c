import { QueryClient } from "@tanstack/react-query";
import { ApiError } from "./api-error.ts";

/** One cache for all pages: asked again only when the network or the service failed, never when it refused. */
export const queryClient = new QueryClient({
  defaultOptions: {
    queries: {
      // A service on the same machine answers without any network, too.
      networkMode: "always",
      staleTime: 15_000,
      gcTime: 300_000,
      refetchOnWindowFocus: true,
      retry: (count, error) => count < 2 && isWorthRetrying(error),
      retryDelay: (count) => Math.min(500 * 2 ** count, 4000),
    },
    mutations: { retry: false, networkMode: "always" },
  },
});

function isWorthRetrying(error: unknown): boolean {
  return error instanceof ApiError ? error.status >= 500 : error instanceof TypeError;
}
