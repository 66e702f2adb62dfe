/** Whether a key belongs to what has the focus, and not to the page: text is typed, or a menu or dialog is open. */
export function isTyping({ target }: { readonly target: EventTarget | null }): boolean {
  if (!(target instanceof HTMLElement)) return false;
  return target.isContentEditable || target.closest("input, textarea, select, [role=dialog], [role=menu], [role=listbox]") !== null;
}
