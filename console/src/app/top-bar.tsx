import { useQuery } from "@tanstack/react-query";
import { Link } from "wouter";
import { client, read } from "../api/client.ts";
import { currentLanguage, setLanguage, t } from "../i18n/translate.ts";
import { Select } from "../ui/field.tsx";
import { Money } from "../ui/figures.tsx";
import { Logo } from "../ui/icon.tsx";
import { Menu, type MenuItem } from "../ui/menu.tsx";
import { useSeat } from "./session.tsx";
import { setTheme, useTheme } from "./theme.ts";

/** The account with its balance, and what is about the reader: language, theme, the way out. */
export function TopBar() {
  const { session, role, leave } = useSeat();
  const language = currentLanguage();
  const out: MenuItem[] = session.local ? [] : [{ label: t("shell.signOut"), icon: "exit", onSelect: () => void leave() }];
  return (
    <header className="topbar">
      <Link href="/" className="brand topbar__brand" aria-label="Genway">
        <Logo />
        <span>Genway</span>
      </Link>
      <AccountChoice />
      <div className="topbar__end">
        <Balance />
        <Menu
          label={t("shell.language")}
          icon="language"
          items={[
            { label: "English", checked: language === "en", onSelect: () => void setLanguage("en") },
            { label: "简体中文", checked: language === "zh", onSelect: () => void setLanguage("zh") },
          ]}
        />
        <ThemeMenu />
        {out.length > 0 && <Menu label={[session.name, t(`shell.role.${role}`)].filter(Boolean).join(" · ")} icon="key" items={out} />}
      </div>
    </header>
  );
}

function ThemeMenu() {
  const theme = useTheme();
  return (
    <Menu
      label={t("shell.theme")}
      icon={theme === "dark" ? "moon" : "sun"}
      items={[
        { label: t("shell.theme.system"), checked: theme === "system", onSelect: () => setTheme("system") },
        { label: t("shell.theme.light"), icon: "sun", checked: theme === "light", onSelect: () => setTheme("light") },
        { label: t("shell.theme.dark"), icon: "moon", checked: theme === "dark", onSelect: () => setTheme("dark") },
      ]}
    />
  );
}

function AccountChoice() {
  const { account, accounts, switchAccount } = useSeat();
  if (accounts.length < 2) return <div className="account truncate muted">{account?.name ?? ""}</div>;
  return (
    <div className="account">
      <Select
        aria-label={t("shell.account")}
        value={account?.id ?? ""}
        onChange={switchAccount}
        options={accounts.map(({ id, name }) => ({ value: id, label: name }))}
      />
    </div>
  );
}

function Balance() {
  const { account } = useSeat();
  const balance = useQuery({
    queryKey: ["balance", account?.id],
    queryFn: () => read(client.GET("/v1/balance")),
    enabled: account !== null,
    refetchInterval: 30_000,
  });
  if (balance.data === undefined) return null;
  return (
    <Link href="/money" className="balance">
      <span className="visually-hidden">{t("shell.balance")}: </span>
      <Money usd={balance.data.available_usd} />
    </Link>
  );
}
