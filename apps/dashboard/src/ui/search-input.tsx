import { Search } from "lucide-react";
import { useEffect, useRef, useState } from "react";
import { cn } from "../lib/cn.ts";
import { Input } from "./inputs.tsx";

/** Narrows a list while one types; the list is asked for when the typing pauses. */
export function SearchInput({
  label,
  onSearch,
  initial = "",
  className,
}: {
  label: string;
  onSearch: (text: string) => void;
  initial?: string;
  className?: string;
}) {
  const [text, setText] = useState(initial);
  const latest = useRef(onSearch);
  useEffect(() => {
    latest.current = onSearch;
  });
  const told = useRef(initial);
  useEffect(() => {
    const wanted = text.trim();
    if (wanted === told.current) return;
    const timer = setTimeout(() => {
      told.current = wanted;
      latest.current(wanted);
    }, 250);
    return () => clearTimeout(timer);
  }, [text]);
  return (
    <span className={cn("relative block", className)}>
      <Search aria-hidden className="pointer-events-none absolute top-1/2 left-3 size-4 -translate-y-1/2 text-muted" />
      <Input
        type="search"
        aria-label={label}
        placeholder={label}
        className="pl-9"
        value={text}
        onChange={(event) => setText(event.target.value)}
      />
    </span>
  );
}
