import { useEffect, useRef } from "react";
import { isTyping } from "../../lib/is-typing.ts";

export interface ShortcutActions {
  save(): void;
  publish(): void;
  toggleFocus(): void;
  leaveFocus(): void;
  togglePanel(): void;
  help(): void;
}

/** As shown in the help; ⌘ is Ctrl where there is no ⌘. */
export const SHORTCUTS: readonly { readonly keys: readonly string[]; readonly does: string }[] = [
  { keys: ["⌘", "S"], does: "Save version" },
  { keys: ["⌘", "⇧", "P"], does: "Publish" },
  { keys: ["⌘", "."], does: "Focus mode (Esc to leave)" },
  { keys: ["⌘", "⇧", "E"], does: "Show or hide side panel" },
  { keys: ["/"], does: "Insert a block (in an empty paragraph)" },
  { keys: ["⌘", "B"], does: "Bold" },
  { keys: ["⌘", "I"], does: "Italic" },
  { keys: ["⌘", "K"], does: "Link" },
  { keys: ["⌘", "Alt", "F"], does: "Add a footnote, or go back from one" },
  { keys: ["Alt", "F10"], does: "Go to the text or table toolbar (Esc to return)" },
  { keys: ["⌘", "Z"], does: "Undo" },
  { keys: ["?"], does: "Show this list (when not typing)" },
];

export function useShortcuts(actions: ShortcutActions): void {
  const latest = useRef(actions);
  useEffect(() => {
    latest.current = actions;
  });
  useEffect(() => {
    const onKey = (event: KeyboardEvent) => {
      const name = actionFor(event);
      if (!name) return;
      if (name !== "leaveFocus") event.preventDefault();
      latest.current[name]();
    };
    window.addEventListener("keydown", onKey);
    return () => window.removeEventListener("keydown", onKey);
  }, []);
}

function actionFor(event: KeyboardEvent): keyof ShortcutActions | null {
  // The keys belong to the input method while it composes.
  if (event.isComposing) return null;
  const key = event.key.toLowerCase();
  if (event.metaKey || event.ctrlKey) {
    if (event.altKey) return null;
    if (event.shiftKey) return key === "p" ? "publish" : key === "e" ? "togglePanel" : null;
    return key === "s" ? "save" : key === "." ? "toggleFocus" : null;
  }
  // Menus and dialogs that Escape closes by themselves are closed first. (The text's editor handles every Escape, so `defaultPrevented` says nothing.)
  if (key === "escape") return document.querySelector('[role="dialog"], [role="menu"], [role="listbox"]') ? null : "leaveFocus";
  return key === "?" && !isTyping(event) ? "help" : null;
}
