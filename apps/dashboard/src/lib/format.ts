const NUMBER = new Intl.NumberFormat();
const COMPACT = new Intl.NumberFormat(undefined, { notation: "compact", maximumFractionDigits: 1 });

export const formatNumber = (value: number): string => NUMBER.format(value);
export const formatCompact = (value: number): string => COMPACT.format(value);

const SIZES = ["B", "KB", "MB", "GB", "TB"] as const;

/** In thousands, as the plans count. */
export function formatBytes(bytes: number): string {
  let value = bytes;
  let unit = 0;
  while (value >= 1_000 && unit < SIZES.length - 1) {
    value /= 1_000;
    unit += 1;
  }
  return `${value >= 100 || unit === 0 ? Math.round(value) : value.toFixed(1).replace(/\.0$/, "")} ${SIZES[unit]}`;
}

/** "Free plan" begins a line; "free" stands within one. */
export const capital = (words: string): string => words.charAt(0).toUpperCase() + words.slice(1);

/** "1 post", "2 posts". */
export const plural = (count: number, one: string, many = `${one}s`): string => `${formatNumber(count)} ${count === 1 ? one : many}`;

/** "debounceSeconds" and "debounce_seconds" become "debounce seconds". */
export const spacedWords = (key: string): string =>
  key
    .replaceAll(/([a-z\d])([A-Z])/g, "$1 $2")
    .replaceAll("_", " ")
    .toLowerCase();
