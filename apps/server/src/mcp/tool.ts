import { z } from "zod";
import type { JsonObject } from "#domain/json";
import type { ToolRun } from "./tool-run.ts";

/**
 * read: changes nothing. write: changes what only the team sees, or can be taken back. publish: changes what readers see, and
 * counts against the hourly budget. delete: only where the grant allows deleting.
 */
export type ToolKind = "read" | "write" | "publish" | "delete";

/** A tool's answer: the facts for a program, and the same in a few lines for a model that is only given text. */
export interface ToolAnswer {
  readonly data: object;
  readonly text: string;
  /** For a model to see, in base64. */
  readonly image?: { readonly data: string; readonly mimeType: string };
}

/** One tool as a model sees it, and the operation behind it. It parses and words; what it may do, the operation decides. */
export interface Tool {
  readonly name: string;
  readonly title: string;
  /** Written for models: when to use it, its limits, what to do next. */
  readonly description: string;
  readonly kind: ToolKind;
  /** Readers can lose something by it. */
  readonly takesAway: boolean;
  /** Doing it twice is the same as doing it once. */
  readonly idempotent: boolean;
  /** Reaches addresses outside of the service. */
  readonly openWorld: boolean;
  readonly input: z.ZodObject;
  readonly output: z.ZodObject;
  readonly run: (call: ToolRun, input: never) => Promise<ToolAnswer>;
}

interface Definition<I extends z.ZodRawShape> {
  name: string;
  title: string;
  description: string;
  kind: ToolKind;
  takesAway?: boolean;
  idempotent?: boolean;
  openWorld?: boolean;
  input: I;
  output: z.ZodRawShape;
  run: (call: ToolRun, input: z.infer<z.ZodObject<I, z.core.$strict>>) => Promise<ToolAnswer>;
}

export function tool<I extends z.ZodRawShape>(definition: Definition<I>): Tool {
  return {
    ...definition,
    takesAway: definition.takesAway ?? definition.kind === "delete",
    idempotent: definition.idempotent ?? definition.kind === "read",
    openWorld: definition.openWorld ?? false,
    input: z.strictObject(definition.input),
    output: z.object(definition.output),
  };
}

/** As `tools/list` shows it. Made once: it is the same for everybody who may see it. */
export function describeTool({ name, title, description, kind, takesAway, idempotent, openWorld, input, output }: Tool) {
  return {
    name,
    title,
    description,
    inputSchema: schemaOf(input),
    outputSchema: schemaOf(output),
    annotations: {
      readOnlyHint: kind === "read",
      destructiveHint: takesAway,
      idempotentHint: idempotent,
      openWorldHint: openWorld,
    },
  };
}

/** Without what says nothing: `$schema`, which the protocol implies, the bounds of safe integers, that names are strings. */
function schemaOf(schema: z.ZodObject): JsonObject & { type: "object" } {
  const { $schema: _, ...rest } = z.toJSONSchema(schema, {
    io: "input",
    unrepresentable: "throw",
    override({ jsonSchema }) {
      if (jsonSchema.minimum === Number.MIN_SAFE_INTEGER) delete jsonSchema.minimum;
      if (jsonSchema.maximum === Number.MAX_SAFE_INTEGER) delete jsonSchema.maximum;
      delete jsonSchema.propertyNames;
    },
  });
  return rest as unknown as JsonObject & { type: "object" };
}
