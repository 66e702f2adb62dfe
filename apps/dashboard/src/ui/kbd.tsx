import type { ReactNode } from "react";

export const Kbd = ({ children }: { children: ReactNode }) => (
  <kbd className="rounded border border-line bg-sunken px-1.5 py-0.5 font-sans text-[0.6875rem] text-muted">{children}</kbd>
);

/** ⌘ on a Mac, Ctrl elsewhere. */
export const MOD = /Mac|iPhone|iPad/.test(navigator.userAgent) ? "⌘" : "Ctrl ";
