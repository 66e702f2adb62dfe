import { LoaderCircle } from "lucide-react";
import { cn } from "../lib/cn.ts";

export function Spinner({ className }: { className?: string }) {
  return <LoaderCircle aria-hidden className={cn("size-4 animate-spin", className)} />;
}

/** For a whole page or card that is on its way. */
export function Loading({ label = "Loading …" }: { label?: string }) {
  return (
    <div role="status" className="flex items-center justify-center gap-2 py-16 text-sm text-muted">
      <Spinner />
      {label}
    </div>
  );
}

/** Holds the place of a line or a block that is on its way. */
export function Skeleton({ className }: { className?: string }) {
  return <div aria-hidden className={cn("animate-pulse rounded-md bg-hover", className)} />;
}
