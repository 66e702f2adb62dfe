import { type Content, type ContentKey, keysOf, type Patch, sameValue } from "./content.ts";

/**
 * What was typed and not yet acknowledged. The body is a function until it is needed: turning a long document into
 * Markdown at every keystroke would be felt.
 */
export interface Edits {
  /** Takes over new values. */
  set(patch: Patch): void;
  setBody(read: () => string): void;
  /** Reads the body now, once and for all. */
  hold(): void;
  /** With every value; edits that equal `acknowledged` are none and are dropped. */
  resolve(acknowledged: Content): Patch;
  /** A save failed: its values count again, unless something newer was typed. */
  giveBack(patch: Patch): void;
  /** Done, or no longer wanted. */
  drop(keys: readonly ContentKey[]): void;
  /** Without reading the body. */
  readonly patchWithoutBody: Omit<Patch, "body">;
  /** Null: not typed in. */
  body(): string | null;
  readonly isEmpty: boolean;
  readonly touchesBody: boolean;
}

export function createEdits(): Edits {
  let values: Omit<Patch, "body"> = {};
  let body: (() => string) | null = null;
  const whole = (): Patch => (body ? { ...values, body: body() } : { ...values });
  const edits: Edits = {
    set(patch) {
      const { body: text, ...rest } = patch;
      values = { ...values, ...rest };
      if (text !== undefined) body = () => text;
    },
    setBody(read) {
      body = read;
    },
    hold() {
      const text = body?.();
      if (text !== undefined) body = () => text;
    },
    resolve(acknowledged) {
      const patch = whole();
      edits.drop(keysOf(patch).filter((key) => sameValue(patch[key], acknowledged[key])));
      return Object.fromEntries(Object.entries(patch).filter(([key, value]) => !sameValue(value, acknowledged[key as ContentKey])));
    },
    giveBack(patch) {
      const { body: text, ...rest } = patch;
      values = { ...rest, ...values };
      if (text !== undefined) body ??= () => text;
    },
    drop(keys) {
      values = Object.fromEntries(Object.entries(values).filter(([key]) => !keys.includes(key as ContentKey)));
      if (keys.includes("body")) body = null;
    },
    body: () => body?.() ?? null,
    get patchWithoutBody() {
      return values;
    },
    get isEmpty() {
      return body === null && Object.keys(values).length === 0;
    },
    get touchesBody() {
      return body !== null;
    },
  };
  return edits;
}
