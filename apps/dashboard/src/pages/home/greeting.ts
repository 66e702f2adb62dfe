/** By the clock of whoever reads it; by their first name, where there is one. */
export function greeting(name: string, now: Date): string {
  const hour = now.getHours();
  const time = hour < 5 ? "Good evening" : hour < 12 ? "Good morning" : hour < 18 ? "Good afternoon" : "Good evening";
  const [first] = name.trim().split(/\s+/);
  return first ? `${time}, ${first}` : time;
}
