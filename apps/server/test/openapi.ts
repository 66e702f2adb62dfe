import { openapiDocument, type OpenapiOperation } from "@stet/contract";
import { Ajv2020, type ValidateFunction } from "ajv/dist/2020.js";
import addFormats from "ajv-formats";
import { expect } from "vitest";

const document = openapiDocument("https://stet.test");
const validators = new Map<string, ValidateFunction>();

/**
 * Fails unless the document describes this answer. `path` is below /v1, as asked, without the query; `body` is the parsed
 * JSON, the text of another type, or undefined when there is none. Fields that are not described fail too: the document
 * is open for clients, not for us.
 */
export function expectMatchesOpenapi(method: string, path: string, status: number, body: unknown, contentType?: string): void {
  const pattern = patternOf(path);
  const operation = document.paths[pattern]?.[(method === "HEAD" ? "get" : method.toLowerCase()) as "get"];
  if (!operation) {
    // What no operation describes can only be refused.
    expect([404, 405, 204], `${method} ${path} is not described`).toContain(status);
    return status === 204 ? undefined : check("Problem", { $ref: "#/components/schemas/Problem" }, body);
  }
  const response = responseOf(operation, status);
  expect(response, `${method} ${pattern} describes no ${status}`).toBeDefined();
  const type = (contentType ?? (status >= 400 ? "application/problem+json" : "application/json")).split(";")[0]!.trim();
  if (body === undefined) return;
  const media = response!.content?.[type];
  expect(media, `${method} ${pattern} ${status} describes no ${type}`).toBeDefined();
  check(`${method} ${pattern} ${status} ${type}`, media!.schema, body);
  if (status >= 400) {
    const { code } = body as { code: string };
    expect(Object.keys(media!.examples ?? {}), `${method} ${pattern} ${status} describes no ${code}`).toContain(code);
  }
}

/** The same for a fetched answer, with the headers that the document promises; answers its parsed body. */
export async function readDescribed(response: Response, method = "GET"): Promise<unknown> {
  const type = response.headers.get("content-type") ?? undefined;
  const text = await response.text();
  const body: unknown = text === "" ? undefined : type?.includes("json") ? JSON.parse(text) : text;
  const path = new URL(response.url).pathname.replace(/^\/v1/, "");
  expectMatchesOpenapi(method, path, response.status, body, type);
  const operation = document.paths[patternOf(path)]?.[method.toLowerCase() as "get"];
  const promised = Object.keys((operation && responseOf(operation, response.status)?.headers) ?? {});
  const missing = promised.filter((name) => !response.headers.has(name));
  expect(missing, `${method} ${path} ${response.status} lacks headers`).toEqual([]);
  return body;
}

interface Answer {
  readonly headers?: object;
  readonly content?: Readonly<Record<string, { readonly schema: object; readonly examples?: object }>>;
}

function responseOf(operation: OpenapiOperation, status: number): Answer | undefined {
  const response = operation.responses[String(status)];
  if (!response || !("$ref" in response)) return response as Answer | undefined;
  return document.components.responses[response.$ref.split("/").at(-1)!];
}

/** The described path that a path is an instance of; what is written out goes before a parameter. */
function patternOf(path: string): string {
  if (path in document.paths) return path;
  const segments = path.split("/");
  const fits = (pattern: string) => {
    const parts = pattern.split("/");
    return parts.length === segments.length && parts.every((part, i) => part.startsWith("{") || part === segments[i]);
  };
  return Object.keys(document.paths).find(fits) ?? path;
}

function check(name: string, schema: object, body: unknown): void {
  let validate = validators.get(name);
  if (!validate) {
    const ajv = new Ajv2020({ strict: false, allErrors: true });
    (addFormats as unknown as (ajv: Ajv2020) => void)(ajv);
    const strict = closed({ ...schema, components: { schemas: document.components.schemas } }) as object;
    validate = ajv.compile(strict);
    validators.set(name, validate);
  }
  const isValid = validate(body);
  expect(isValid ? [] : validate.errors, `${name} does not match the OpenAPI document`).toEqual([]);
}

/** Every object with named properties takes those only. */
function closed(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(closed);
  if (typeof value !== "object" || value === null) return value;
  const result = Object.fromEntries(Object.entries(value).map(([key, entry]) => [key, closed(entry)]));
  return result["type"] === "object" && "properties" in result && !("additionalProperties" in result)
    ? { ...result, additionalProperties: false }
    : result;
}
