import { execFileSync } from "node:child_process";
import { readFileSync, writeFileSync } from "node:fs";
import path from "node:path";
import { type OpenapiDocument, type OpenapiOperation, openapiDocument, type OpenapiParameter } from "@stet/contract";

/**
 * Writes the types of `@stet/client` from the OpenAPI document; `--check` only tells whether they are what it says. Closed lists in answers are
 * open to texts that this version does not know, because v1 grows: a program must not break on the day we add one.
 */
const FILE = path.resolve(import.meta.dirname, "../packages/client/src/api-types.ts");
type Schema = Readonly<Record<string, unknown>>;

const document: OpenapiDocument = openapiDocument("https://stet.example");
const written = [
  "// Made from the OpenAPI document by tools/client-types.ts: do not edit.\n",
  ...Object.entries(document.components.schemas).map(([name, schema]) => named(name, schema)),
  `export type ErrorCode = ${typeOf(propertiesOf(document.components.schemas["Problem"]!)["code"]!)};\n`,
  ...Object.values(document.paths).flatMap(({ get }) => (get ? queryOf(get) : [])),
].join("\n");

const formatted = execFileSync(
  process.execPath,
  [path.resolve(import.meta.dirname, "../node_modules/.bin/oxfmt"), `--stdin-filepath=${FILE}`],
  {
    input: written,
    encoding: "utf8",
  },
);
if (!process.argv.includes("--check")) writeFileSync(FILE, formatted);
else if (readFileSync(FILE, "utf8") !== formatted) {
  process.stderr.write("packages/client/src/api-types.ts is not what the OpenAPI document says. Run: npx node tools/client-types.ts\n");
  process.exitCode = 1;
}

function named(name: string, schema: Schema): string {
  const about = comment(schema, "");
  if (schema["type"] !== "object" || !schema["properties"]) return `${about}export type ${name} = ${typeOf(schema)};\n`;
  return `${about}export interface ${name} ${typeOf(schema)}\n`;
}

function propertiesOf(schema: Schema): Record<string, Schema> {
  return (schema["properties"] ?? {}) as Record<string, Schema>;
}

function typeOf(schema: Schema, isInput = false): string {
  if (typeof schema["$ref"] === "string") return schema["$ref"].split("/").at(-1)!;
  if ("const" in schema) return JSON.stringify(schema["const"]);
  if (Array.isArray(schema["enum"])) {
    const choices = schema["enum"].map((choice) => JSON.stringify(choice));
    return [...choices, ...(isInput ? [] : ["(string & {})"])].join(" | ");
  }
  const anyOf = (schema["anyOf"] ?? schema["oneOf"]) as Schema[] | undefined;
  if (anyOf) return [...new Set(anyOf.map((one) => typeOf(one, isInput)))].join(" | ");
  const types = schema["type"];
  if (Array.isArray(types)) return types.map((type) => typeOf({ ...schema, type }, isInput)).join(" | ");
  switch (types) {
    case "object":
      return objectOf(schema, isInput);
    case "array": {
      const item = typeOf((schema["items"] ?? {}) as Schema, isInput);
      return `readonly ${/[ |{]/.test(item) ? `(${item})` : item}[]`;
    }
    case "integer":
      return "number";
    case "string":
    case "number":
    case "boolean":
    case "null":
      return types;
    case undefined:
      return "unknown";
    default:
      throw new Error(`There is no type for ${JSON.stringify(schema)}.`);
  }
}

function objectOf(schema: Schema, isInput: boolean): string {
  const properties = Object.entries(propertiesOf(schema));
  if (properties.length === 0) {
    const value = schema["additionalProperties"];
    return `Readonly<Record<string, ${typeof value === "object" && value !== null ? typeOf(value as Schema, isInput) : "unknown"}>>`;
  }
  const required = (schema["required"] ?? []) as readonly string[];
  const lines = properties.map(([name, value]) => {
    const optional = required.includes(name) ? "" : "?";
    const key = /^[A-Za-z_]\w*$/.test(name) ? name : JSON.stringify(name);
    return `${comment(value, "  ")}  readonly ${key}${optional}: ${typeOf(value, isInput)}${optional ? " | undefined" : ""};`;
  });
  return `{\n${lines.join("\n")}\n}`;
}

function comment(schema: Schema, indent: string): string {
  const words = schema["description"];
  return typeof words === "string" ? `${indent}/** ${words.replaceAll("*/", "*\\/")} */\n` : "";
}

/** The query parameters of an operation. */
function queryOf({ operationId, parameters = [] }: OpenapiOperation): string[] {
  const found = parameters
    .map((one) => ("$ref" in one ? document.components.parameters[one.$ref.split("/").at(-1)!]! : one))
    .filter((one: OpenapiParameter) => one.in === "query");
  if (found.length === 0) return [];
  const properties = Object.fromEntries(found.map(({ name, schema, description }) => [name, { ...schema, description }]));
  const required = found.filter((one) => one.required).map(({ name }) => name);
  const name = `${operationId.charAt(0).toUpperCase()}${operationId.slice(1)}Query`;
  return [`export interface ${name} ${typeOf({ type: "object", properties, required }, true)}\n`];
}
