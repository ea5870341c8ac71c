import { fileURLToPath } from "node:url";
import react from "@vitejs/plugin-react";
import { defineConfig } from "vite";

const root = fileURLToPath(new URL(".", import.meta.url));
const service = process.env["GENWAY_URL"] ?? "http://127.0.0.1:8787";

/** The host stays that of the page, so that the service sees requests of its own origin. */
const proxied = { target: service, changeOrigin: false };

/** The console is served under /console/ by the service itself; everything else it asks for goes to the service. */
export default defineConfig({
  root,
  base: "/console/",
  plugins: [react()],
  build: {
    outDir: "dist",
    emptyOutDir: true,
    target: "es2022",
    assetsInlineLimit: 0,
    modulePreload: { polyfill: false },
    reportCompressedSize: false,
    rolldownOptions: {
      output: {
        codeSplitting: {
          groups: [
            {
              name: "vendor",
              test: /node_modules[\\/](?:react|react-dom|scheduler|wouter|regexparam|use-sync-external-store|@tanstack[\\/](?:query-core|react-query)|openapi-fetch)[\\/]/,
            },
          ],
        },
      },
    },
  },
  server: {
    host: "127.0.0.1",
    proxy: { "^/(?!console(?:/|$)|@|node_modules/)": proxied, "^/console/(?:session|oidc)": proxied },
  },
  preview: { host: "127.0.0.1", proxy: { "^/(?!console(?:/|$))": proxied, "^/console/(?:session|oidc)": proxied } },
});
