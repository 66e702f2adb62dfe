import { useSyncExternalStore } from "react";

export interface KeyedState<T> {
  get(key: string): T;
  set(key: string, value: T): void;
  /** The value for a component, which renders again when it changes. */
  useValue(key: string): T;
  /** A small part of the value, for a component that renders again only when the part changes. */
  usePart<Part extends string | number | boolean>(key: string, part: (value: T) => Part): Part;
  /** Whether a component on the page uses the value now. */
  isShown(key: string): boolean;
}

/** State by key (mostly a website's id) that outlives its page, for work that goes on while the person is on another page. */
export function keyedState<T>(initial: T): KeyedState<T> {
  const values = new Map<string, T>();
  const listeners = new Map<string, Set<() => void>>();
  const get = (key: string): T => values.get(key) ?? initial;
  const subscribe = (key: string, listener: () => void) => {
    const mine = listeners.get(key) ?? new Set();
    listeners.set(key, mine.add(listener));
    return () => void mine.delete(listener);
  };
  return {
    get,
    set(key, value) {
      values.set(key, value);
      for (const listener of listeners.get(key) ?? []) listener();
    },
    useValue: (key) =>
      useSyncExternalStore(
        (listener) => subscribe(key, listener),
        () => get(key),
      ),
    usePart: (key, part) =>
      useSyncExternalStore(
        (listener) => subscribe(key, listener),
        () => part(get(key)),
      ),
    isShown: (key) => (listeners.get(key)?.size ?? 0) > 0,
  };
}
