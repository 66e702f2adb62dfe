import { plural } from "./format.ts";

/** "about 3 minutes left" */
export function timeLeft(seconds: number | null): string | null {
  if (seconds === null) return null;
  if (seconds < 60) return "less than a minute left";
  const minutes = Math.round(seconds / 60);
  return minutes < 60 ? `about ${plural(minutes, "minute")} left` : `about ${plural(Math.round(minutes / 60), "hour")} left`;
}
