import { Search } from "lucide-react";
import { useEffect, useEffectEvent, useState } from "react";
import { cn } from "../lib/cn.ts";
import { Input } from "./inputs.tsx";
import { Spinner } from "./spinner.tsx";

const PAUSE_MILLIS = 250;

/** A field that narrows a list. The list is loaded when the typing pauses. */
export function SearchInput({
  label,
  value,
  onSearch,
  maxLength,
  isSearching = false,
  className,
}: {
  label: string;
  /** The text that the list is narrowed by. The field follows when something else changes it (Back, Clear, a link). */
  value: string;
  onSearch: (text: string) => void;
  maxLength?: number;
  /** The list is on its way. */
  isSearching?: boolean;
  className?: string;
}) {
  const [text, setText] = useState(value);
  const [reported, setReported] = useState(value);
  const [seen, setSeen] = useState(value);
  if (value !== seen) {
    setSeen(value);
    if (value !== reported) {
      setReported(value);
      setText(value);
    }
  }
  const report = useEffectEvent((wanted: string) => {
    setReported(wanted);
    onSearch(wanted);
  });
  useEffect(() => {
    const wanted = text.trim();
    if (wanted === reported) return;
    const timer = setTimeout(() => report(wanted), PAUSE_MILLIS);
    return () => clearTimeout(timer);
  }, [text, reported]);
  return (
    <span className={cn("relative block", className)}>
      <span className="pointer-events-none absolute inset-y-0 left-3 flex items-center text-muted">
        {isSearching ? <Spinner /> : <Search aria-hidden className="size-4" />}
      </span>
      <Input
        type="search"
        aria-label={label}
        placeholder={label}
        maxLength={maxLength}
        className="pl-9"
        value={text}
        onChange={(event) => setText(event.target.value)}
      />
    </span>
  );
}
