/** Every object of the API; those with custom fields have a generic of their own below, which goes first. */
export type * from "./api-types.ts";
export { createClient } from "./client.ts";
export type { ChangesPage, Client, Fields, List, MostRead, Page, Post, PostSummary, PreviewPost, SearchHit, Terms } from "./client.ts";
export { type ClientErrorCode, StetError, type StetErrorFacts } from "./error.ts";
export type { Cache, CachedAnswer, CallOptions, ClientOptions } from "./options.ts";
export { type SignedBody, verifyWebhook, type VerifyOptions } from "./webhook.ts";
