import type { ReactNode } from "react";
import { Logo } from "../ui/logo.tsx";
import { useDocumentTitle } from "../ui/page.tsx";

/** The frame of pages before signing in: one task, in the middle. */
export function AuthFrame({
  title,
  description,
  footer,
  children,
}: {
  title: string;
  description?: ReactNode;
  footer?: ReactNode;
  children: ReactNode;
}) {
  useDocumentTitle(title);
  return (
    <main className="flex min-h-dvh flex-col items-center px-4 pt-[max(2.5rem,10vh)] pb-10">
      <div className="flex w-full max-w-[23.5rem] flex-col">
        <p className="mb-8 flex items-center justify-center gap-2.5">
          <Logo />
          <span className="font-serif text-[1.375rem] font-medium tracking-tight">Stet</span>
        </p>
        <div className="rounded-card border border-line bg-surface px-5 py-7 shadow-raised sm:px-8">
          <h1 className="font-serif text-[1.625rem] leading-tight font-medium tracking-tight">{title}</h1>
          {description && <div className="mt-1.5 text-sm text-muted">{description}</div>}
          <div className="mt-6 flex flex-col gap-5">{children}</div>
        </div>
        {footer && <div className="mt-6 flex flex-col gap-2 text-center text-sm text-muted">{footer}</div>}
      </div>
    </main>
  );
}

/** Links within text are underlined, so that colour is not the only sign. */
export const linkClass =
  "font-medium text-text underline decoration-line-strong underline-offset-3 hover:decoration-accent hover:text-accent";
