import { useEffect, useId, useRef, useState, type KeyboardEvent } from "react";
import { IconButton } from "./button.tsx";
import { Icon, type IconName } from "./icon.tsx";

export type MenuItem = { label: string; icon?: IconName; onSelect: () => void; danger?: boolean; disabled?: boolean; checked?: boolean };

/** A button that opens a list of actions; arrow keys move, Escape closes and gives the focus back. */
export function Menu({ label, icon = "more", items }: { label: string; icon?: IconName; items: readonly MenuItem[] }) {
  const { isOpen, setOpen, root } = usePopover();
  const id = useId();
  const list = useRef<HTMLDivElement>(null);
  useEffect(() => {
    if (isOpen) list.current?.querySelector<HTMLElement>("[role^=menuitem]:not(:disabled)")?.focus();
  }, [isOpen]);
  const onKeyDown = (event: KeyboardEvent<HTMLDivElement>) => {
    const all = [...(list.current?.querySelectorAll<HTMLElement>("[role^=menuitem]:not(:disabled)") ?? [])];
    const at = all.findIndex((item) => item === document.activeElement);
    const step = { ArrowDown: 1, ArrowUp: -1 }[event.key];
    if (step === undefined || all.length === 0) return;
    event.preventDefault();
    all[(at + step + all.length) % all.length]?.focus();
  };
  return (
    <div className="popover-root" ref={root}>
      <IconButton
        label={label}
        icon={icon}
        aria-haspopup="menu"
        aria-expanded={isOpen}
        aria-controls={isOpen ? id : undefined}
        onClick={() => setOpen(!isOpen)}
      />
      {isOpen && (
        <div className="popover menu" role="menu" aria-label={label} id={id} ref={list} onKeyDown={onKeyDown} tabIndex={-1}>
          {items.map((item) => (
            <button
              key={item.label}
              type="button"
              {...(item.checked === undefined ? { role: "menuitem" } : { role: "menuitemradio", "aria-checked": item.checked })}
              className={item.danger ? "menu__item menu__item--danger" : "menu__item"}
              disabled={item.disabled}
              onClick={() => {
                setOpen(false);
                item.onSelect();
              }}
            >
              {item.icon && <Icon name={item.icon} />}
              <span className="grow">{item.label}</span>
              {item.checked === true && <Icon name="check" />}
            </button>
          ))}
        </div>
      )}
    </div>
  );
}

function usePopover() {
  const [isOpen, setOpen] = useState(false);
  const root = useRef<HTMLDivElement>(null);
  useEffect(() => {
    if (!isOpen) return;
    const onPointer = (event: PointerEvent) => {
      if (event.target instanceof Node && !root.current?.contains(event.target)) setOpen(false);
    };
    const onKey = (event: globalThis.KeyboardEvent) => {
      if (event.key !== "Escape") return;
      setOpen(false);
      root.current?.querySelector("button")?.focus();
    };
    document.addEventListener("pointerdown", onPointer);
    document.addEventListener("keydown", onKey);
    return () => {
      document.removeEventListener("pointerdown", onPointer);
      document.removeEventListener("keydown", onKey);
    };
  }, [isOpen]);
  return { isOpen, setOpen, root };
}
