import { useEffect, type ReactNode } from "react";

/** A page: its title (also the window's), what can be done at its head, and the rest. */
export function Page({ title, hint, actions, children }: { title: string; hint?: ReactNode; actions?: ReactNode; children: ReactNode }) {
  usePageTitle(title);
  return (
    <div className="page">
      <header className="page__head">
        <div>
          <h1>{title}</h1>
          {hint && <p className="page__hint">{hint}</p>}
        </div>
        {actions && <div className="row">{actions}</div>}
      </header>
      {children}
    </div>
  );
}

export function usePageTitle(title: string): void {
  useEffect(() => {
    document.title = `${title} · Genway`;
  }, [title]);
}
