import { ApiProblem } from "../../lib/problem.ts";
import { Field } from "../../ui/field.tsx";
import { Input, Textarea } from "../../ui/inputs.tsx";

/** A key as it is typed. */
export interface KeyDraft {
  readonly name: string;
  /** One a line. */
  readonly origins: string;
  readonly monthlyCap: string;
}

/** Each shows its own errors. */
export const KEY_FIELDS: readonly (keyof KeyDraft)[] = ["name", "origins", "monthlyCap"];

export const originsIn = (draft: KeyDraft): string[] =>
  draft.origins
    .split(/[\n,]/)
    .map((origin) => origin.trim())
    .filter(Boolean);

/** Null: the key has no cap of its own. What is no whole number is left to the server to refuse. */
export const capIn = ({ monthlyCap }: KeyDraft): number | null => (monthlyCap.trim() === "" ? null : Number(monthlyCap));

export function KeyFields({ draft, onChange, problem }: { draft: KeyDraft; onChange: (draft: KeyDraft) => void; problem: unknown }) {
  const refused = problem instanceof ApiProblem ? problem : null;
  return (
    <>
      <Field label="Name" error={refused?.fieldError("name")} help="Where it is used, such as “Production” or “Preview builds”.">
        {(control) => (
          <Input {...control} required value={draft.name} onChange={(event) => onChange({ ...draft, name: event.target.value })} />
        )}
      </Field>
      <Field
        label="Allowed origins"
        optional
        error={originErrors(draft, refused)}
        help={
          <>
            Websites that can use the key in a browser, one per line: <code>example.com</code>, <code>*.example.com</code> for every
            subdomain, or <code>http://localhost:3000</code>. Leave empty to allow all. Requests from servers and builds are not restricted.
          </>
        }
      >
        {(control) => (
          <Textarea
            {...control}
            rows={3}
            spellCheck={false}
            placeholder="example.com"
            className="font-mono text-[0.8125rem]"
            value={draft.origins}
            onChange={(event) => onChange({ ...draft, origins: event.target.value })}
          />
        )}
      </Field>
      <Field
        label="Monthly cap"
        optional
        error={refused?.fieldError("monthlyCap")}
        help="Most requests per month with this key. Leave empty for no cap."
      >
        {(control) => (
          <Input
            {...control}
            type="number"
            min={1}
            step={1}
            inputMode="numeric"
            className="max-w-40"
            value={draft.monthlyCap}
            onChange={(event) => onChange({ ...draft, monthlyCap: event.target.value })}
          />
        )}
      </Field>
    </>
  );
}

/** The server names positions; people look for what they typed. */
function originErrors(draft: KeyDraft, problem: ApiProblem | null): string | undefined {
  const typed = originsIn(draft);
  const errors = (problem?.errors ?? []).filter(({ field }) => field === "origins" || field.startsWith("origins."));
  if (errors.length === 0) return undefined;
  return errors
    .map(({ field, message }) => {
      const origin = typed[Number(field.split(".")[1])];
      return `${origin === undefined ? "The list" : `“${origin}”`} ${message}.`;
    })
    .join(" ");
}
