import { useSearchParams } from "wouter";

/** The query string of the page, and how to change parts of it; an empty value takes a part away. */
export function useAddress(): { search: URLSearchParams; change: (values: Readonly<Record<string, string | null | undefined>>) => void } {
  const [search, setSearch] = useSearchParams();
  const change = (values: Readonly<Record<string, string | null | undefined>>) =>
    setSearch(
      (before) => {
        for (const [name, value] of Object.entries(values)) {
          if (value === null || value === "") before.delete(name);
          else if (value !== undefined) before.set(name, value);
        }
        return before;
      },
      { replace: true },
    );
  return { search, change };
}
