import type { OpenapiDocument, OpenapiOperation } from "@stet/contract";
import { parametersIn } from "./parameters.ts";

/** How to send one request, in two languages. */
export interface Samples {
  readonly curl: string;
  readonly javascript: string;
}

export function samplesOf(document: OpenapiDocument, method: string, path: string, operation: OpenapiOperation): Samples {
  const url = document.servers[0]!.url + exampleAddress(document, path, operation);
  if (method === "post") return posted(url, operation);
  if (path === "/view.js") {
    const tag = `<script\n  async\n  src="${url}"\n  data-website="site_…"\n  data-post="slow-bread"\n></script>`;
    return { curl: `curl "${url}"`, javascript: tag };
  }
  const isPublic = operation.security !== undefined;
  const type = Object.keys(contentOf(operation))[0] ?? "";
  const isJson = type.includes("json");
  return {
    curl: `curl "${url}"${isPublic ? "" : ' \\\n  -H "Authorization: Bearer $STET_KEY"'}`,
    javascript: [
      isPublic
        ? `const response = await fetch("${url}");`
        : `const response = await fetch("${url}", {\n  headers: { Authorization: \`Bearer \${key}\` },\n});`,
      "if (!response.ok) throw new Error((await response.json()).detail);",
      isJson ? `const ${resultOf(path)} = await response.json();` : "const text = await response.text();",
    ].join("\n"),
  };
}

function posted(url: string, operation: OpenapiOperation): Samples {
  const example = operation.requestBody?.content["application/json"]?.examples?.["example"];
  const body = JSON.stringify(example && "value" in example ? example.value : {});
  return {
    curl: `curl "${url}" \\\n  -H "Content-Type: application/json" \\\n  -d '${body}'`,
    javascript: `navigator.sendBeacon(\n  "${url}",\n  JSON.stringify({\n    website: "site_…",\n    post: "slow-bread",\n    referrer: document.referrer,\n  }),\n);`,
  };
}

function resultOf(path: string): string {
  const named: Readonly<Record<string, string>> = {
    "/openapi.json": "description",
    "/blog/feed.json": "feed",
    "/blog/changes": "{ data, cursor, reset }",
    "/blog/website": "{ data }",
  };
  return named[path] ?? (path.includes("{") ? "{ data }" : "{ data, pagination }");
}

/** The path with a value for each of its parameters, and for those of the query that must be there. */
function exampleAddress(document: OpenapiDocument, path: string, operation: OpenapiOperation): string {
  const parameters = parametersIn(document, operation);
  const filled = path.replaceAll(/\{(\w+)\}/g, (_all, name: string) =>
    String(parameters.find((one) => one.name === name)?.example ?? name),
  );
  const needed = parameters.filter((parameter) => parameter.in === "query" && parameter.required);
  const query = new URLSearchParams(needed.map(({ name, example }): [string, string] => [name, String(example ?? "")])).toString();
  return query === "" ? filled : `${filled}?${query}`;
}

function contentOf(operation: OpenapiOperation): Readonly<Record<string, unknown>> {
  const answer = operation.responses["200"];
  return answer && "content" in answer ? (answer.content ?? {}) : {};
}
