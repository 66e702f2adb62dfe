const KEY = "stet.website";

/** The website this person worked on last, in this browser. */
export const lastWebsite = {
  get: (): string | null => localStorage.getItem(KEY),
  set: (id: string): void => localStorage.setItem(KEY, id),
};
