import { useCallback, useLayoutEffect, useRef } from "react";

/** One function for as long as the component lives, which does what the last given does: for rows that are drawn anew only when they change. */
export function useStable<Args extends unknown[]>(run: (...args: Args) => void): (...args: Args) => void {
  const latest = useRef(run);
  useLayoutEffect(() => {
    latest.current = run;
  });
  return useCallback((...args: Args) => latest.current(...args), []);
}
