import type { ReactNode } from "react";
import { cn } from "../lib/cn.ts";

/** A part of a page: a heading, a description, and room for buttons. */
export function Card({
  title,
  description,
  action,
  footer,
  className,
  children,
}: {
  title?: ReactNode;
  description?: ReactNode;
  action?: ReactNode;
  footer?: ReactNode;
  className?: string;
  children?: ReactNode;
}) {
  return (
    <section className={cn("rounded-card border border-line bg-surface", className)}>
      {(title || action) && (
        <header className="flex flex-wrap items-start justify-between gap-3 px-5 pt-4">
          {/* A sentence needs room beside the buttons; a heading alone does not. */}
          <div className={cn("min-w-0 flex-1", description && "basis-56")}>
            {title && <h2 className="text-[0.9375rem] font-semibold">{title}</h2>}
            {description && <p className="mt-0.5 text-sm text-muted">{description}</p>}
          </div>
          {action}
        </header>
      )}
      <div className="px-5 py-4">{children}</div>
      {footer && <footer className="flex flex-wrap items-center justify-end gap-2 border-t border-line px-5 py-3">{footer}</footer>}
    </section>
  );
}
