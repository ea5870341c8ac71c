import { lazy, Suspense } from "react";
import { Redirect, Route, Router, Switch } from "wouter";
import type { Session } from "../api/session.ts";
import { t, useLanguage } from "../i18n/translate.ts";
import { EmptyState } from "../ui/states.tsx";
import { LinkButton } from "../ui/button.tsx";
import { Page } from "../ui/page.tsx";
import { Skeleton } from "../ui/progress.tsx";
import { Toasts } from "../ui/toast.tsx";
import { ErrorBoundary } from "./error-boundary.tsx";
import { routes } from "./pages.ts";
import { SessionGate, useSeat } from "./session.tsx";
import { Shell } from "./shell.tsx";

const SignInPage = lazy(async () => ({ default: (await import("../pages/sign-in/sign-in-page.tsx")).SignInPage }));

/** The console: who is looking, the frame, and the page. Another language draws everything anew. */
export function App() {
  const language = useLanguage();
  return (
    <Router base="/console" key={language}>
      <ErrorBoundary>
        <SessionGate SignIn={SignIn}>
          <Shell>
            <Pages />
          </Shell>
        </SessionGate>
      </ErrorBoundary>
      <Toasts />
    </Router>
  );
}

function SignIn({ session }: { session: Session }) {
  return (
    <Suspense fallback={null}>
      <SignInPage session={session} />
    </Suspense>
  );
}

function Pages() {
  const { account, isStaff } = useSeat();
  const allowed = routes.filter(({ staff }) => !staff || isStaff);
  return (
    <Suspense fallback={<PageSkeleton />} key={account?.id ?? ""}>
      <Switch>
        {allowed.map(({ path, key = path, Page: Shown }) => (
          <Route key={key} path={path}>
            <ErrorBoundary key={key}>
              <Shown />
            </ErrorBoundary>
          </Route>
        ))}
        <Route path="/sign-in">
          <Redirect to="/" />
        </Route>
        <Route>
          <Page title={t("shell.notFound")}>
            <EmptyState title={t("shell.notFoundText")} icon="search" action={<LinkButton to="/">{t("playground.title")}</LinkButton>} />
          </Page>
        </Route>
      </Switch>
    </Suspense>
  );
}

function PageSkeleton() {
  return (
    <div className="page" aria-busy="true">
      <Skeleton width="12rem" height="1.6rem" />
      <Skeleton width="100%" height="14rem" />
    </div>
  );
}
