import { useState, useSyncExternalStore } from "react";

const KEY = "stet.editor-panel";
export type PanelTab = "post" | "seo" | "outline" | "checks" | "history";

export interface PanelState {
  readonly isOpen: boolean;
  readonly isWide: boolean;
  readonly tab: PanelTab;
  toggle(): void;
  close(): void;
  /** Opens it, if need be. */
  show(tab: PanelTab): void;
}

const WIDE = "(min-width: 64rem)";

function useIsWide(): boolean {
  return useSyncExternalStore(
    (listener) => {
      const query = window.matchMedia(WIDE);
      query.addEventListener("change", listener);
      return () => query.removeEventListener("change", listener);
    },
    () => window.matchMedia(WIDE).matches,
  );
}

/** Beside the text where there is room, and remembered there; a sheet over it on small screens, closed at first. */
export function usePanel(): PanelState {
  const isWide = useIsWide();
  const [open, setOpen] = useState(() => localStorage.getItem(KEY) !== "closed");
  const [sheet, setSheet] = useState(false);
  const [tab, setTab] = useState<PanelTab>("post");
  const isOpen = isWide ? open : sheet;
  const set = (next: boolean) => {
    if (!isWide) return setSheet(next);
    localStorage.setItem(KEY, next ? "open" : "closed");
    setOpen(next);
  };
  return {
    isOpen,
    isWide,
    tab,
    toggle: () => set(!isOpen),
    close: () => set(false),
    show: (next) => {
      setTab(next);
      set(true);
    },
  };
}
