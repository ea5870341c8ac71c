import { useQueryClient } from "@tanstack/react-query";
import { useState, type FormEvent } from "react";
import { useSearchParams } from "wouter";
import { asApiError } from "../../api/api-error.ts";
import { signIn, type Session } from "../../api/session.ts";
import { isKey, t } from "../../i18n/translate.ts";
import { Button } from "../../ui/button.tsx";
import { Field, TextInput } from "../../ui/field.tsx";
import { Logo } from "../../ui/icon.tsx";
import { usePageTitle } from "../../ui/page.tsx";
import { Notice } from "../../ui/states.tsx";

/** Takes an admin or client key, or sends to the identity provider. */
export function SignInPage({ session }: { session: Session }) {
  usePageTitle(t("signIn.title"));
  return (
    <main className="centre">
      <div className="card sign-in">
        <div className="brand sign-in__brand">
          <Logo />
          <h1>Genway</h1>
        </div>
        {session.hasEnded === true && <Notice tone="warn">{t("signIn.ended")}</Notice>}
        <ProviderProblem />
        <KeyForm />
        {session.oidc !== null && (
          <>
            <div className="sign-in__or muted small">{t("signIn.or")}</div>
            <a className="button button--plain button--m" href="/console/oidc">
              {session.oidc}
            </a>
          </>
        )}
        <p className="muted small">{t("signIn.hint")}</p>
      </div>
    </main>
  );
}

/** Why the identity provider's way in led back here. */
function ProviderProblem() {
  const [search] = useSearchParams();
  const problem = `signIn.problem.${search.get("problem") ?? ""}`;
  return isKey(problem) ? <Notice tone="bad">{t(problem)}</Notice> : null;
}

function KeyForm() {
  const cache = useQueryClient();
  const [key, setKey] = useState("");
  const [state, setState] = useState<{ busy: boolean; error: string | null }>({ busy: false, error: null });
  const submit = async (event: FormEvent) => {
    event.preventDefault();
    setState({ busy: true, error: null });
    try {
      const session = await signIn(key.trim());
      // Whoever was here before may have seen what the next one may not.
      cache.removeQueries({ predicate: ({ queryKey }) => queryKey[0] !== "session" });
      cache.setQueryData(["session"], session);
    } catch (error) {
      const { status, message } = asApiError(error);
      setState({ busy: false, error: status === 401 ? t("signIn.unknown") : message });
    }
  };
  return (
    <form className="stack" onSubmit={(event) => void submit(event)}>
      <Field label={t("signIn.key")} error={state.error}>
        <TextInput
          type="password"
          value={key}
          onChange={setKey}
          autoComplete="current-password"
          spellCheck={false}
          required
          placeholder="gw_… / gwa_…"
        />
      </Field>
      <Button variant="primary" type="submit" busy={state.busy} disabled={key.trim() === ""}>
        {t("signIn.go")}
      </Button>
    </form>
  );
}
