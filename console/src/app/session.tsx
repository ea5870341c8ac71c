import { useQuery, useQueryClient } from "@tanstack/react-query";
import { createContext, use, useMemo, useState, type ComponentType, type ReactNode } from "react";
import { client, read, type Reply } from "../api/client.ts";
import { setIdentity } from "../api/identity.ts";
import { sessionQuery, signOut, type Role, type Session } from "../api/session.ts";
import { t } from "../i18n/translate.ts";
import { Spinner } from "../ui/progress.tsx";
import { ErrorState } from "../ui/states.tsx";

type Account = Reply<"/admin/v1/accounts">["data"][number];

export type Seat = {
  session: Session;
  role: Role;
  /** May see what is everybody's: operators and viewers. */
  isStaff: boolean;
  /** May change things: all but viewers. */
  canWrite: boolean;
  /** The account that the client pages are about; null when there is none yet. */
  account: { id: string; name: string } | null;
  /** The accounts to choose from; empty for a client. */
  accounts: readonly Account[];
  switchAccount: (id: string) => void;
  leave: () => Promise<void>;
};

const SeatContext = createContext<Seat | null>(null);

/** Who is looking and on whose behalf. */
export function useSeat(): Seat {
  const seat = use(SeatContext);
  if (seat === null) throw new Error("useSeat is for pages inside the shell.");
  return seat;
}

const storedAccount = "genway.account";

/** Asks who is there; shows the sign-in page to nobody in particular, and the children to everybody else. */
export function SessionGate({ SignIn, children }: { SignIn: ComponentType<{ session: Session }>; children: ReactNode }) {
  const query = useQuery({ ...sessionQuery, refetchOnWindowFocus: false });
  if (query.isError) {
    return (
      <div className="centre">
        <ErrorState error={query.error} onRetry={() => void query.refetch()} />
      </div>
    );
  }
  if (query.data === undefined) return <Waiting />;
  if (query.data.role === null) return <SignIn session={query.data} />;
  return (
    <Seated session={query.data} role={query.data.role}>
      {children}
    </Seated>
  );
}

function Seated({ session, role, children }: { session: Session; role: Role; children: ReactNode }) {
  const cache = useQueryClient();
  const isStaff = role !== "client";
  const [chosen, setChosen] = useState(() => localStorage.getItem(storedAccount));
  // Requests for the list itself already need the headers.
  setIdentity({ csrf: session.csrf, account: null });
  const list = useQuery({
    queryKey: ["accounts", "choice"],
    queryFn: () => read(client.GET("/admin/v1/accounts", { params: { query: { limit: "100" } } })),
    enabled: isStaff,
  });
  const accounts = useMemo(() => list.data?.data ?? [], [list.data]);
  const account = isStaff ? chooseAccount(accounts, chosen, session) : session.account;
  setIdentity({ csrf: session.csrf, account: isStaff ? (account?.id ?? null) : null });
  const seat = useMemo<Seat>(
    () => ({
      session,
      role,
      isStaff,
      canWrite: role !== "viewer",
      account,
      accounts,
      switchAccount(id) {
        localStorage.setItem(storedAccount, id);
        setChosen(id);
        cache.removeQueries({ predicate: ({ queryKey }) => queryKey[0] !== "session" && queryKey[0] !== "accounts" });
      },
      async leave() {
        await signOut();
        localStorage.removeItem(storedAccount);
        cache.clear();
        location.assign("/console/");
      },
    }),
    [session, role, isStaff, account, accounts, cache],
  );
  if (isStaff && list.isPending) return <Waiting />;
  if (list.isError) {
    return (
      <div className="centre">
        <ErrorState error={list.error} onRetry={() => void list.refetch()} />
      </div>
    );
  }
  return <SeatContext value={seat}>{children}</SeatContext>;
}

function chooseAccount(accounts: readonly Account[], chosen: string | null, session: Session): { id: string; name: string } | null {
  const found =
    accounts.find(({ id }) => id === chosen) ??
    accounts.find(({ id }) => id === session.account?.id) ??
    accounts.find(({ name }) => name === "local") ??
    accounts[0];
  return found ?? session.account;
}

function Waiting() {
  return (
    <div className="centre">
      <Spinner label={t("ui.loading")} />
    </div>
  );
}
