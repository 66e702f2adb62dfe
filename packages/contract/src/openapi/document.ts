import { examplesAt } from "./examples.ts";
import { HEADERS } from "./headers.ts";
import { PARAMETERS } from "./parameters.ts";
import { problemExamples, sharedProblemResponses } from "./problems.ts";
import { publicPaths } from "./public-routes.ts";
import { readRoutes } from "./read-routes.ts";
import { NOT_MODIFIED, operationOf } from "./route.ts";
import { componentSchemas } from "./schemas.ts";
import type { OpenapiDocument } from "./types.ts";
import { webhooks } from "./webhooks.ts";

const ABOUT = `Read the published posts of a website. Everything is plain HTTP with a bearer token: \`Authorization: Bearer <API_KEY>\`.

A key belongs to one website and can only read. You can use it in a browser and restrict it to your domains.

Single resources are \`{data}\`, lists are \`{data, pagination}\`. HEAD works wherever GET does. Times are UTC, ISO 8601 with milliseconds. Ids never change.

Errors are \`application/problem+json\` (RFC 9457). Program against \`code\`; \`detail\` tells people what to do next.

This version only ever adds: ignore fields you do not know.`;

const TAGS = [
  { name: "Posts", description: "Published posts." },
  { name: "Categories", description: "Groups of posts." },
  { name: "Tags", description: "Labels that posts share." },
  { name: "Authors", description: "Who wrote." },
  { name: "Media", description: "Images." },
  { name: "Search", description: "Full-text search." },
  { name: "Readers", description: "How often posts are read." },
  { name: "Changes", description: "Update a site instead of rebuilding it." },
  { name: "Feeds", description: "Ready-made files for your site to serve." },
  { name: "Preview", description: "See a draft on your own site." },
  { name: "About", description: "The API about itself." },
] as const;

/** The public description of the delivery API. `publicUrl` is the address of the install, without a slash at the end. */
export function openapiDocument(publicUrl: string): OpenapiDocument {
  const examples = examplesAt(publicUrl);
  return {
    openapi: "3.1.1",
    info: { title: "Stet delivery API", version: "1.0.0", summary: "Read the published posts of a website.", description: ABOUT },
    servers: [{ url: `${publicUrl}/v1`, description: "This server" }],
    security: [{ projectKey: [] }],
    tags: TAGS,
    paths: {
      ...Object.fromEntries(readRoutes(examples).map((route) => [route.path, { get: operationOf(route) }])),
      ...publicPaths(examples),
    },
    webhooks: webhooks(examples),
    components: {
      securitySchemes: {
        projectKey: {
          type: "http",
          scheme: "bearer",
          bearerFormat: "stet_ and 40 letters and digits",
          description: "An API key, created on the website's API keys page and shown once.",
        },
      },
      schemas: componentSchemas(),
      parameters: PARAMETERS,
      headers: HEADERS,
      responses: { NotModified: NOT_MODIFIED, ...sharedProblemResponses() },
      examples: problemExamples(publicUrl),
    },
  };
}
