import type { WebsiteContext } from "../posts/remote-posts.ts";

type Field = WebsiteContext["fields"][number];

const TYPES: Readonly<Record<string, string>> = { text: "string", number: "number", boolean: "boolean", date: "string", url: "string" };

/**
 * A module with the type of `fields` of a post. Every field can be missing: a post that was published before a field was required does not
 * have it.
 */
export function fieldsModule(fields: readonly Field[]): string {
  const lines = fields.flatMap((field) => [`  /** ${commentOf(field)} */`, `  readonly ${nameOf(field.key)}?: ${typeOf(field)};`]);
  return [
    "// Made by `stet types` from the custom fields of the website. Do not edit; run it again when the fields changed.",
    "",
    "/** Use it as `createClient<Fields>({ … })` of @stet/client. */",
    "export interface Fields {",
    ...lines,
    "}",
    "",
  ].join("\n");
}

/** The values of types that a newer server has are unknown here. */
function typeOf({ type, options }: Field): string {
  // An empty value of a text is kept as "".
  if (type === "select")
    return [...options, ""]
      .map((option) => JSON.stringify(option))
      .concat("null")
      .join(" | ");
  const known = Object.hasOwn(TYPES, type) ? TYPES[type] : undefined;
  return known ? `${known} | null` : "unknown";
}

const nameOf = (key: string): string => (/^[A-Za-z_$][\w$]*$/.test(key) ? key : JSON.stringify(key));

/** A label is somebody's words: it must not end the comment. */
const commentOf = ({ label, type }: Field): string =>
  `${label.replaceAll("*/", "* /").replaceAll(/\s+/g, " ")}${type === "date" ? ", such as 2026-11-15" : ""}`.trim();
