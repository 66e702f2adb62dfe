export { CALLOUT_KINDS } from "./callouts.ts";
export { attributesOf } from "./directive-line.ts";
export { embedAt, embedOf } from "./embeds.ts";
export type { Embed } from "./embeds.ts";
export type { FootnoteEnv } from "./footnotes.ts";
export { GRAMMAR_LIMITS } from "./limits.ts";
export { markdownParser } from "./parser.ts";
export { isLinkable, schemeOf } from "./urls.ts";
