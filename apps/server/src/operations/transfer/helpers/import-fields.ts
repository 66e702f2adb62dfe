import { fail } from "#domain/failure";
import type { FieldDefinition } from "#domain/website";
import type { InWebsite } from "../../kernel/operation.ts";
import { setFieldDefinitions } from "../../websites/set-field-definitions.ts";

/** Adds the definitions that the website lacks; one that it has already stays as it is. Answers what was added. */
export async function importFields(context: InWebsite, given: readonly unknown[]): Promise<readonly string[]> {
  const { website } = context;
  const existing = new Set(website.fieldDefinitions.map((definition) => definition.key));
  const isNew = (definition: unknown) => !existing.has((definition as Partial<FieldDefinition> | null)?.key ?? "");
  const added = given.filter(isNew);
  if (added.length === 0) return [];
  const input = setFieldDefinitions.input.safeParse({
    websiteId: website.id,
    expectedVersion: website.version,
    fieldDefinitions: [...website.fieldDefinitions, ...added],
  });
  if (!input.success) {
    const [issue] = input.error.issues;
    throw fail("VALIDATION_FAILED", `Line 1: the field definitions cannot be used here. ${issue?.path.join(".")}: ${issue?.message}`, {
      line: 1,
    });
  }
  const saved = await setFieldDefinitions.run(context, input.data);
  return saved.fieldDefinitions.slice(website.fieldDefinitions.length).map((definition) => definition.key);
}
