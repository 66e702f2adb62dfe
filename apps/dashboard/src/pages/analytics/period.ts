export const PERIODS = [
  { period: "7d", label: "7 days" },
  { period: "30d", label: "30 days" },
  { period: "90d", label: "90 days" },
] as const;
export type Period = (typeof PERIODS)[number]["period"];

/** Which period an address names; without one, 30 days. */
export function readPeriodSearch({ period }: Record<string, unknown>): { period?: "7d" | "90d" } {
  return period === "7d" || period === "90d" ? { period } : {};
}
