import { Link, type LinkProps } from "@tanstack/react-router";
import type { ReactNode } from "react";
import { cn } from "../lib/cn.ts";
import { formatNumber } from "../lib/format.ts";

/** Pages side by side, each with an address of its own. On a phone they scroll sideways. */
export function LinkTabs({ label, children }: { label: string; children: ReactNode }) {
  return (
    <nav aria-label={label} className="-mx-4 flex gap-1 overflow-x-auto border-b border-line px-4 sm:mx-0 sm:px-0">
      {children}
    </nav>
  );
}

export function LinkTab({ count, children, ...link }: Omit<LinkProps, "children"> & { count?: number | undefined; children: ReactNode }) {
  return (
    <Link
      {...(link as LinkProps)}
      className="-mb-px flex shrink-0 items-center gap-1.5 border-b-2 border-transparent px-2.5 py-2 text-sm text-muted hover:text-text"
      activeProps={{ className: cn("border-accent! text-text! font-medium") }}
      activeOptions={{ exact: true, includeSearch: true, ...link.activeOptions }}
    >
      {children}
      {count !== undefined && <span className="rounded-full bg-hover px-1.5 text-xs tabular-nums text-muted">{formatNumber(count)}</span>}
    </Link>
  );
}
