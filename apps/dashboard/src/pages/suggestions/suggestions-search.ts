/** The tab of the page, as it is in its address. */
export interface SuggestionsSearch {
  tab?: "decided";
}

export const readSuggestionsSearch = ({ tab }: Record<string, unknown>): SuggestionsSearch => (tab === "decided" ? { tab } : {});
