import type { ButtonHTMLAttributes, ReactNode } from "react";
import { Link } from "wouter";
import { Icon, type IconName } from "./icon.tsx";

type Look = { variant?: "primary" | "plain" | "quiet" | "danger"; size?: "s" | "m" | "l"; icon?: IconName };
type ButtonProps = Look & { busy?: boolean } & ButtonHTMLAttributes<HTMLButtonElement>;

/** A button; while `busy` it shows a spinner and cannot be pressed again. */
export function Button({ variant = "plain", size = "m", icon, busy = false, className = "", children, disabled, ...rest }: ButtonProps) {
  return (
    <button
      type="button"
      {...rest}
      className={`${look(variant, size)} ${className}`}
      disabled={disabled === true || busy}
      aria-busy={busy || undefined}
    >
      {busy ? <span className="spinner" aria-hidden="true" /> : icon && <Icon name={icon} />}
      {children}
    </button>
  );
}

type IconButtonProps = { label: string; icon: IconName; size?: "s" | "m" } & ButtonHTMLAttributes<HTMLButtonElement>;

/** A button that is only a picture; the label is what is read out and shown on hover. */
export function IconButton({ label, icon, size = "m", className = "", ...rest }: IconButtonProps) {
  return (
    <button type="button" title={label} {...rest} aria-label={label} className={`icon-button icon-button--${size} ${className}`}>
      <Icon name={icon} />
    </button>
  );
}

/** A link inside the console that looks like a button. */
export function LinkButton({ to, variant = "plain", size = "m", icon, children }: Look & { to: string; children: ReactNode }) {
  return (
    <Link href={to} className={look(variant, size)}>
      {icon && <Icon name={icon} />}
      {children}
    </Link>
  );
}

/** A link that saves a file. */
export function DownloadButton({
  href,
  name,
  size = "s",
  children,
}: {
  href: string;
  name: string;
  size?: "s" | "m";
  children: ReactNode;
}) {
  return (
    <a href={href} download={name} className={look("plain", size)}>
      <Icon name="download" />
      {children}
    </a>
  );
}

function look(variant: string, size: string): string {
  return `button button--${variant} button--${size}`;
}
