/** How many elements are remembered. Fewer than this lose the focus before a dialog closes. */
const MAX_REMEMBERED = 20;

const focused: HTMLElement[] = [];

document.addEventListener("focusin", ({ target }) => {
  if (!(target instanceof HTMLElement)) return;
  const element = openerOf(target) ?? target;
  const known = focused.indexOf(element);
  if (known !== -1) focused.splice(known, 1);
  focused.push(element);
  if (focused.length > MAX_REMEMBERED) focused.shift();
});

/** The button that opened the menu of `target`: a button that was clicked with a mouse never had the focus itself. */
const openerOf = (target: HTMLElement): HTMLElement | null => {
  const name = target.closest("[role=menu]")?.getAttribute("aria-labelledby");
  return name ? document.getElementById(name) : null;
};

/**
 * Focuses the element that had the focus last. Elements that are gone (an item of a menu, a field of a dialog) or cannot take the focus
 * (a disabled button) are skipped. If none is left, the page itself is focused, or the keyboard would start at the sidebar.
 */
export function restoreFocus(): void {
  for (const element of focused.toReversed()) {
    if (!element.isConnected) continue;
    element.focus();
    if (document.activeElement === element) return;
  }
  document.querySelector<HTMLElement>("main")?.focus();
}
