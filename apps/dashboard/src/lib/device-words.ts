const BROWSERS = [
  ["Edg", "Edge"],
  ["OPR", "Opera"],
  ["Firefox", "Firefox"],
  ["FxiOS", "Firefox"],
  ["CriOS", "Chrome"],
  ["Chrome", "Chrome"],
  ["Safari", "Safari"],
] as const;

const SYSTEMS = [
  ["iPhone", "iPhone"],
  ["iPad", "iPad"],
  ["Android", "Android"],
  ["Windows", "Windows"],
  ["CrOS", "ChromeOS"],
  ["Mac OS X", "macOS"],
  ["Linux", "Linux"],
] as const;

/** "Firefox on Windows", as well as a browser tells it. The first that fits wins: many name others for old times' sake. */
export function deviceWords(userAgent: string | null): { readonly words: string; readonly isPhone: boolean } {
  const text = userAgent ?? "";
  const browser = BROWSERS.find(([sign]) => text.includes(`${sign}/`))?.[1];
  const system = SYSTEMS.find(([sign]) => text.includes(sign))?.[1];
  const words = browser && system ? `${browser} on ${system}` : (browser ?? system ?? "Unknown browser");
  return { words, isPhone: system === "iPhone" || (system === "Android" && text.includes("Mobile")) };
}
