import { useEffect, useState } from "react";

/** The value once it has not changed for a moment, so that typing asks the server once and not at every letter. */
export function useDebounced<T>(value: T, millis = 250): T {
  const [settled, setSettled] = useState(value);
  useEffect(() => {
    const timer = setTimeout(() => setSettled(value), millis);
    return () => clearTimeout(timer);
  }, [value, millis]);
  return settled;
}
