export const PERIODS = [
  { period: "7d", label: "7 days" },
  { period: "30d", label: "30 days" },
  { period: "90d", label: "90 days" },
] as const;
export type Period = (typeof PERIODS)[number]["period"];
