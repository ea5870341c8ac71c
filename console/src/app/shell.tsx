import { useEffect, useRef, useState, type ReactNode } from "react";
import { Link, useLocation } from "wouter";
import { t } from "../i18n/translate.ts";
import { Dialog } from "../ui/dialog.tsx";
import { Icon, Logo } from "../ui/icon.tsx";
import { isIn, sections, staffSections, type Section } from "./sections.ts";
import { useSeat } from "./session.tsx";
import { TopBar } from "./top-bar.tsx";

/** The frame around every page: navigation at the side, or at the foot of a phone. */
export function Shell({ children }: { children: ReactNode }) {
  const main = useRef<HTMLElement>(null);
  const [path] = useLocation();
  const shown = useRef(path);
  useEffect(() => {
    if (path === shown.current) return;
    shown.current = path;
    scrollTo(0, 0);
    // Whoever moves within a page, say between its tabs, keeps the place; what has gone with the old page had it last.
    if (document.activeElement === document.body || document.activeElement?.closest("nav")) main.current?.focus({ preventScroll: true });
  }, [path]);
  return (
    <div className="shell">
      <a
        className="skip"
        href="#main"
        onClick={(event) => {
          event.preventDefault();
          main.current?.focus();
        }}
      >
        {t("shell.skip")}
      </a>
      <aside className="shell__side" aria-label="Genway">
        <Brand />
        <Navigation />
        <Foot />
      </aside>
      <div className="shell__body">
        <TopBar />
        <main ref={main} id="main" tabIndex={-1}>
          {children}
        </main>
      </div>
      <TabBar />
    </div>
  );
}

export function Brand() {
  return (
    <Link href="/" className="brand" aria-label="Genway">
      <Logo />
      <span>Genway</span>
    </Link>
  );
}

function Navigation({ onGo }: { onGo?: () => void }) {
  const { isStaff } = useSeat();
  return (
    <nav aria-label={t("shell.navigation")} className="nav">
      {sections.map((section) => (
        <NavLink key={section.path} section={section} onGo={onGo} />
      ))}
      {isStaff && (
        <>
          <div className="nav__label">{t("shell.operate")}</div>
          {staffSections.map((section) => (
            <NavLink key={section.path} section={section} onGo={onGo} />
          ))}
        </>
      )}
    </nav>
  );
}

function NavLink({ section, onGo }: { section: Section; onGo?: (() => void) | undefined }) {
  const [path] = useLocation();
  return (
    <Link href={section.path} className="nav__link" aria-current={isIn(section, path) ? "page" : undefined} onClick={onGo}>
      <Icon name={section.icon} />
      {t(section.title)}
    </Link>
  );
}

function Foot() {
  const { session } = useSeat();
  return (
    <div className="shell__foot row row--between">
      <a href="/docs" target="_blank" rel="noreferrer">
        {t("shell.reference")}
      </a>
      <span className="number">{session.version}</span>
    </div>
  );
}

function TabBar() {
  const [path] = useLocation();
  const [isOpen, setOpen] = useState(false);
  const shown = sections.slice(0, 4);
  const isElsewhere = !shown.some((section) => isIn(section, path));
  return (
    <nav className="tabbar" aria-label={t("shell.navigation")}>
      {shown.map((section) => (
        <Link key={section.path} href={section.path} className="tabbar__item" aria-current={isIn(section, path) ? "page" : undefined}>
          <Icon name={section.icon} />
          {t(section.title)}
        </Link>
      ))}
      <button
        type="button"
        className="tabbar__item"
        aria-haspopup="dialog"
        aria-current={isElsewhere ? "page" : undefined}
        onClick={() => setOpen(true)}
      >
        <Icon name="menu" />
        {t("shell.more")}
      </button>
      {isOpen && (
        <Dialog title="Genway" size="s" onClose={() => setOpen(false)}>
          <Navigation onGo={() => setOpen(false)} />
          <Foot />
        </Dialog>
      )}
    </nav>
  );
}
