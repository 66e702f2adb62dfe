import { type Content, type ContentKey, keysOf, only, type Patch, sameValue } from "./content.ts";

/**
 * Edits that the server has not acknowledged. The body is a function until it is needed: turning a long document into
 * Markdown at every keystroke would be felt.
 */
export interface Edits {
  /** Adds new values. */
  set(patch: Patch): void;
  setBody(read: () => string): void;
  /** Reads the body from its editor now, for the last time. */
  readBodyNow(): void;
  /** All edits as values. Edits that equal `acknowledged` are dropped, but for those of `unsure`: of these nobody knows what the server has. */
  resolve(acknowledged: Content, unsure: readonly ContentKey[]): Patch;
  /** A save failed: its values become edits again, except where something newer was typed. */
  putBack(patch: Patch): void;
  /** Forgets edits that are saved or discarded. */
  drop(keys: readonly ContentKey[]): void;
  /** The edits without the body, which is not read. */
  readonly patchWithoutBody: Omit<Patch, "body">;
  /** Null: the body was not edited. */
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
    readBodyNow() {
      const text = body?.();
      if (text !== undefined) body = () => text;
    },
    resolve(acknowledged, unsure) {
      const patch = whole();
      const same = keysOf(patch).filter((key) => sameValue(patch[key], acknowledged[key]) && !unsure.includes(key));
      edits.drop(same);
      return only(
        patch,
        keysOf(patch).filter((key) => !same.includes(key)),
      );
    },
    putBack(patch) {
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
