import "./styles/index.css";
import { QueryClientProvider } from "@tanstack/react-query";
import { StrictMode } from "react";
import { createRoot } from "react-dom/client";
import { queryClient } from "./api/queries.ts";
import { App } from "./app/app.tsx";
import { applyTheme } from "./app/theme.ts";
import { preferredLanguage, setLanguage } from "./i18n/translate.ts";

async function start(): Promise<void> {
  applyTheme();
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
