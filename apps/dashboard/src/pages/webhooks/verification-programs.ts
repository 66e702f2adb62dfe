// The one source of these programs: each of them runs in the tests, where its language is on the machine.
import guide from "../../../../../docs/webhooks.md?raw";

export interface Snippet {
  readonly language: string;
  readonly code: string;
}

/** The verification programs of docs/webhooks.md, by language. */
export const SNIPPETS: readonly Snippet[] = [...guide.matchAll(/^### (\w+)\n+```\w+\n([\s\S]*?)\n```$/gm)].map(
  ([, language = "", code = ""]) => ({ language, code }),
);
