import { cn } from "../lib/cn.ts";

/** The initials of a person; there are no pictures to load from elsewhere. */
export function Avatar({ name, className }: { name: string; className?: string }) {
  const initials = name
    .trim()
    .split(/\s+/)
    .slice(0, 2)
    .map((part) => [...part][0]?.toUpperCase() ?? "")
    .join("");
  return (
    <span
      aria-hidden
      className={cn(
        "grid size-7 shrink-0 place-items-center rounded-full bg-accent-soft text-[0.6875rem] font-semibold text-accent",
        className,
      )}
    >
      {initials || "?"}
    </span>
  );
}
