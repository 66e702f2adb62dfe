import { Search } from "lucide-react";
import { useEffect, useEffectEvent, useState } from "react";
import { cn } from "../lib/cn.ts";
import { Input } from "./inputs.tsx";

const PAUSE_MILLIS = 250;

/** Narrows a list while one types; the list is asked for when the typing pauses. */
export function SearchInput({
  label,
  value,
  onSearch,
  maxLength,
  className,
}: {
  label: string;
  /** What is searched for now. When it changes from elsewhere (Back, Clear, a link) the field follows. */
  value: string;
  onSearch: (text: string) => void;
  maxLength?: number;
  className?: string;
}) {
  const [text, setText] = useState(value);
  const [told, setTold] = useState(value);
  const [seen, setSeen] = useState(value);
  if (value !== seen) {
    setSeen(value);
    if (value !== told) {
      setTold(value);
      setText(value);
    }
  }
  const tell = useEffectEvent((wanted: string) => {
    setTold(wanted);
    onSearch(wanted);
  });
  useEffect(() => {
    const wanted = text.trim();
    if (wanted === told) return;
    const timer = setTimeout(() => tell(wanted), PAUSE_MILLIS);
    return () => clearTimeout(timer);
  }, [text, told]);
  return (
    <span className={cn("relative block", className)}>
      <Search aria-hidden className="pointer-events-none absolute top-1/2 left-3 size-4 -translate-y-1/2 text-muted" />
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
