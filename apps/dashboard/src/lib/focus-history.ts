/** How many places are remembered; more than one can leave behind before something closes. */
const KEPT = 20;

const places: HTMLElement[] = [];

document.addEventListener("focusin", ({ target }) => {
  if (!(target instanceof HTMLElement)) return;
  const place = openerOf(target) ?? target;
  const known = places.indexOf(place);
  if (known !== -1) places.splice(known, 1);
  places.push(place);
  if (places.length > KEPT) places.shift();
});

/** Of a menu, the button that opened it: clicked with a mouse it never had the focus itself. */
const openerOf = (target: HTMLElement): HTMLElement | null => {
  const name = target.closest("[role=menu]")?.getAttribute("aria-labelledby");
  return name ? document.getElementById(name) : null;
};

/**
 * Goes back to where the focus was last. What has gone since (the item of a menu, what stood in a dialog) or can take no focus now
 * (a button that has done its work) is passed over. Without any, it goes to the page itself, or the keyboard would begin at the sidebar.
 */
export function focusWhereItWas(): void {
  for (const place of places.toReversed()) {
    if (!place.isConnected) continue;
    place.focus();
    if (document.activeElement === place) return;
  }
  document.querySelector<HTMLElement>("main")?.focus();
}
