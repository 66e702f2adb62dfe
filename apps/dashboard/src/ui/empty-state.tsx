import type { LucideIcon } from "lucide-react";
import type { ReactNode } from "react";

/** Replaces an empty list: names the items that would be here, and how to add the first. */
export function EmptyState({
  icon: Icon,
  title,
  children,
  action,
}: {
  icon: LucideIcon;
  title: string;
  children?: ReactNode;
  action?: ReactNode;
}) {
  return (
    <div className="flex flex-col items-center gap-2 rounded-card border border-dashed border-line px-6 py-14 text-center">
      <span className="mb-1 grid size-11 place-items-center rounded-full bg-hover text-muted">
        <Icon aria-hidden className="size-5" />
      </span>
      <h2 className="font-medium">{title}</h2>
      {children && <div className="max-w-md text-sm text-muted">{children}</div>}
      {action && <div className="mt-3">{action}</div>}
    </div>
  );
}
