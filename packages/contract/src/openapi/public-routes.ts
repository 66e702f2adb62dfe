import { one, text } from "./answers.ts";
import type { Examples } from "./examples.ts";
import { headersOf } from "./headers.ts";
import { parametersOf } from "./parameters.ts";
import { problemResponses } from "./problems.ts";
import type { OpenapiDocument } from "./types.ts";
import { refTo } from "./types.ts";

const NO_KEY: readonly [] = [];

/** Addresses that need no key. */
export const publicPaths = (examples: Examples): OpenapiDocument["paths"] => ({
  "/preview/{token}": {
    get: {
      operationId: "getPreview",
      summary: "Preview a draft",
      description:
        "The working copy of one post, as it would be published. The token comes from a preview link created in the last hour. No API key is needed, and an API key is not enough. Do not cache the answer or share the address.",
      tags: ["Preview"],
      security: NO_KEY,
      parameters: parametersOf(["token"]),
      responses: {
        "200": { description: "The post.", headers: headersOf("Cache-Control"), content: one("PreviewPost", examples.preview) },
        ...problemResponses([
          "UNKNOWN_PARAMETER",
          "INVALID_PARAMETER",
          "NOT_FOUND",
          "METHOD_NOT_ALLOWED",
          "RATE_LIMITED",
          "INTERNAL",
          "CONTENT_STORE_UNAVAILABLE",
          "UNAVAILABLE",
        ]),
      },
    },
  },
  "/collect": {
    post: {
      operationId: "collectView",
      summary: "Count a view",
      description:
        'Reports that a post was read: `navigator.sendBeacon("/v1/collect", JSON.stringify({website, post, referrer: document.referrer}))`. No cookie is set and no address is kept: a visitor is a hash with a salt that is deleted every day. The answer is 204 whether it was counted or not: bots, prefetches, `DNT: 1`, `Sec-GPC: 1`, unknown and unpublished posts are not. Where the website has a public address, or its keys have allowed origins, other origins are refused.',
      tags: ["Readers"],
      security: NO_KEY,
      requestBody: {
        required: true,
        content: {
          "application/json": { schema: refTo("schemas", "Collect"), examples: { example: { value: examples.collect } } },
          "text/plain": {
            schema: {
              type: "string",
              description: "The same JSON, as beacons send it.",
              contentMediaType: "application/json",
              contentSchema: refTo("schemas", "Collect"),
              pattern: "^\\s*\\{[\\s\\S]*\\}\\s*$",
            },
            examples: { example: { value: JSON.stringify(examples.collect) } },
          },
        },
      },
      responses: {
        "204": { description: "Understood.", headers: headersOf() },
        ...problemResponses([
          "UNKNOWN_PARAMETER",
          "INVALID_PARAMETER",
          "MALFORMED_BODY",
          "ORIGIN_NOT_ALLOWED",
          "METHOD_NOT_ALLOWED",
          "PAYLOAD_TOO_LARGE",
          "UNSUPPORTED_MEDIA_TYPE",
          "RATE_LIMITED",
          "INTERNAL",
          "CONTENT_STORE_UNAVAILABLE",
          "UNAVAILABLE",
        ]),
      },
    },
  },
  "/view.js": {
    get: {
      operationId: "getViewScript",
      summary: "View script",
      description:
        'Counts views on pages without a build: `<script async src="…/v1/view.js" data-website="site_…" data-post="slow-bread"></script>`. Without `data-post` the last part of the page\'s address is the slug, and navigation inside the page counts too. `data-endpoint` sends views to an address of your own. Nothing is sent for visitors who asked not to be tracked.',
      tags: ["Readers"],
      security: NO_KEY,
      responses: {
        "200": {
          description: "The script.",
          headers: headersOf("ETag", "Cache-Control"),
          content: text("text/javascript", "(function(){…})();"),
        },
        "304": refTo("responses", "NotModified"),
        ...problemResponses(["UNKNOWN_PARAMETER", "INVALID_PARAMETER", "METHOD_NOT_ALLOWED", "INTERNAL"]),
      },
    },
  },
  "/openapi.json": {
    get: {
      operationId: "getOpenapi",
      summary: "This description",
      description: "The whole API as an OpenAPI 3.1 document. Public.",
      tags: ["About"],
      security: NO_KEY,
      responses: {
        "200": {
          description: "The document.",
          headers: headersOf("ETag", "Cache-Control"),
          content: { "application/json": { schema: { type: "object" } } },
        },
        "304": refTo("responses", "NotModified"),
        ...problemResponses(["UNKNOWN_PARAMETER", "INVALID_PARAMETER", "METHOD_NOT_ALLOWED", "RATE_LIMITED", "INTERNAL"]),
      },
    },
  },
});
