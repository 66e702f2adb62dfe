/** How many places are remembered; more than one can leave behind before something closes. */
const KEPT = 20;

const places: HTMLElement[] = [];

document.addEventListener("focusin", ({ target }) => {
  if (!(target instanceof HTMLElement)) return;
  const known = places.indexOf(target);
  if (known !== -1) places.splice(known, 1);
  places.push(target);
  if (places.length > KEPT) places.shift();
});

/**
 * Goes back to where the focus was last. What has gone since (the item of a menu, what stood in a dialog) or can take no focus now
 * (a button that has done its work) is passed over: without any, the keyboard would have to begin at the top of the page.
 */
export function focusWhereItWas(): void {
  for (const place of places.toReversed()) {
    if (!place.isConnected) continue;
    place.focus();
    if (document.activeElement === place) return;
  }
}
