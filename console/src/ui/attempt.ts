import { useState } from "react";
import { asApiError } from "../api/api-error.ts";

/** Something that is tried from a dialog: the dialog closes when it worked, and stays open with the reason if it was refused. */
export function useAttempt(
  act: () => Promise<unknown>,
  onDone: () => void,
): { busy: boolean; error: string | null; run: () => Promise<void> } {
  const [state, setState] = useState<{ busy: boolean; error: string | null }>({ busy: false, error: null });
  const run = async () => {
    setState({ busy: true, error: null });
    try {
      await act();
      onDone();
    } catch (error) {
      setState({ busy: false, error: asApiError(error).message });
    }
  };
  return { ...state, run };
}
