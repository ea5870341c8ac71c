import { useId, type ReactNode } from "react";

/** Shows a remark when the thing inside is hovered or focused; Tab reaches it. */
export function Tooltip({ tip, children }: { tip: ReactNode; children: ReactNode }) {
  const id = useId();
  return (
    <span className="tooltip">
      <button type="button" className="tooltip__thing" aria-describedby={id}>
        {children}
      </button>
      <span role="tooltip" id={id} className="tooltip__tip">
        {tip}
      </span>
    </span>
  );
}
