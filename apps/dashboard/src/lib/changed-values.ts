/** The values of `after` that differ from those before. Only they are sent, so that what others changed meanwhile in the rest stays. */
export function changedValues<T extends object>(before: T, after: T): Partial<T> {
  const changed = (key: string) => JSON.stringify(before[key as keyof T]) !== JSON.stringify(after[key as keyof T]);
  return Object.fromEntries(Object.entries(after).filter(([key]) => changed(key))) as Partial<T>;
}
