import { ApiProblem } from "../../api/problem.ts";
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
            Which pages of browsers may use it, one a line: <code>example.com</code>, <code>*.example.com</code> for every subdomain, or{" "}
            <code>http://localhost:3000</code>. Empty: any. Servers and builds send no origin and are not asked.
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
        help="The most requests this key may make in a month. Leave it empty for no cap."
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
