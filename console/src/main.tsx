import "./styles/index.css";
import { QueryClientProvider } from "@tanstack/react-query";
import { StrictMode } from "react";
import { createRoot } from "react-dom/client";
import { queryClient } from "./api/queries.ts";
import { sessionQuery } from "./api/session.ts";
import { App } from "./app/app.tsx";
import { loadFirstPage } from "./app/pages.ts";
import { applyTheme } from "./app/theme.ts";
import { preferredLanguage, setLanguage } from "./i18n/translate.ts";

async function start(): Promise<void> {
  applyTheme();
  void queryClient.prefetchQuery(sessionQuery);
  loadFirstPage(location.pathname);
  await setLanguage(preferredLanguage());
  const root = document.getElementById("root");
  if (root === null) return;
  createRoot(root).render(
    <StrictMode>
      <QueryClientProvider client={queryClient}>
        <App />
      </QueryClientProvider>
    </StrictMode>,
  );
}

void start();
