import { type ReactNode, useEffect } from "react";
import { cn } from "../lib/cn.ts";

/** The frame of every page: its title (also the tab's), its actions, its content. */
export function Page({
  title,
  description,
  actions,
  narrow = false,
  children,
}: {
  title: string;
  description?: ReactNode;
  actions?: ReactNode;
  /** For forms and text, which are hard to read when wide. */
  narrow?: boolean;
  children: ReactNode;
}) {
  useDocumentTitle(title);
  return (
    <PageFrame narrow={narrow}>
      <header className="flex flex-wrap items-end justify-between gap-x-6 gap-y-3">
        <div className="min-w-0">
          <h1 className="font-serif text-[1.75rem] leading-tight font-medium tracking-tight">{title}</h1>
          {description && <p className="mt-1 max-w-prose text-sm text-muted">{description}</p>}
        </div>
        {actions && <div className="flex flex-wrap items-center gap-2">{actions}</div>}
      </header>
      {children}
    </PageFrame>
  );
}

/** The area beside the sidebar, for the few pages whose head is not a title with a line below it. */
export function PageFrame({ narrow = false, children }: { narrow?: boolean; children: ReactNode }) {
  return (
    <div className={cn("mx-auto flex w-full flex-col gap-6 px-4 py-6 sm:px-8 sm:py-8", narrow ? "max-w-3xl" : "max-w-6xl")}>{children}</div>
  );
}

export function useDocumentTitle(title: string): void {
  useEffect(() => {
    document.title = `${title} · Stet`;
  }, [title]);
}
