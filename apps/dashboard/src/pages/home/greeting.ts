/** A greeting by the reader's own clock, with their first name if they have one. */
export function greeting(name: string, now: Date): string {
  const hour = now.getHours();
  const time = hour < 5 ? "Good evening" : hour < 12 ? "Good morning" : hour < 18 ? "Good afternoon" : "Good evening";
  const [first] = name.trim().split(/\s+/);
  return first ? `${time}, ${first}` : time;
}
