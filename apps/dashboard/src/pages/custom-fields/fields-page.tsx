import { useQueryClient } from "@tanstack/react-query";
import { ListPlus, Plus } from "lucide-react";
import { useState } from "react";
import type { FieldDefinition } from "../../api/answers.ts";
import { opOptions, useAct, useOp } from "../../api/hooks.ts";
import { isProblem } from "../../lib/problem.ts";
import { useWebsiteContext } from "../../shell/website-context.ts";
import { Button } from "../../ui/button.tsx";
import { ConfirmDialog } from "../../ui/confirm-dialog.tsx";
import { EmptyState } from "../../ui/empty-state.tsx";
import { ErrorState } from "../../ui/error-state.tsx";
import { Page } from "../../ui/page.tsx";
import { Skeleton } from "../../ui/spinner.tsx";
import { toast } from "../../ui/toast.tsx";
import { FieldDialog } from "./field-dialog.tsx";
import { FieldRow } from "./field-row.tsx";

export function FieldsPage() {
  const { website } = useWebsiteContext();
  const client = useQueryClient();
  const at = { websiteId: website.id };
  const found = useOp("get_website", at);
  const [editing, setEditing] = useState<FieldDefinition | "new" | null>(null);
  const [removing, setRemoving] = useState<FieldDefinition | null>(null);
  const save = useAct("set_field_definitions", {
    onSuccess: (saved) => client.setQueryData(opOptions("get_website", at).queryKey, saved),
    onError: (problem) => {
      if (isProblem(problem, "VERSION_CONFLICT")) void found.refetch();
    },
  });
  const definitions = found.data?.fieldDefinitions ?? [];
  const put = (next: FieldDefinition[]) => save.mutateAsync({ ...at, expectedVersion: found.data?.version ?? 1, fieldDefinitions: next });

  /** Undo puts the list back as it was, if nobody changed it since. */
  const undo = (saved: Awaited<ReturnType<typeof put>>, before: FieldDefinition[]) => ({
    label: "Undo",
    run: () => save.mutate({ ...at, expectedVersion: saved.version, fieldDefinitions: before }, { onError: toast.error }),
  });
  const move = async (from: number, to: number) => {
    const next = definitions.toSpliced(from, 1).toSpliced(to, 0, definitions[from]!);
    await put(next).catch(toast.error);
  };
  const addButton = (
    <Button variant="primary" onClick={() => setEditing("new")} disabled={!found.data}>
      <Plus aria-hidden /> Add field
    </Button>
  );

  return (
    <Page
      title="Fields"
      description="Extra data for your posts. Writers fill it in beside the editor; the API returns it as fields."
      actions={definitions.length > 0 && addButton}
    >
      <div className="flex flex-col gap-6">
        {found.isLoadingError ? (
          <ErrorState error={found.error} onRetry={() => void found.refetch()} />
        ) : !found.data ? (
          <Skeleton className="h-48" />
        ) : definitions.length === 0 ? (
          <EmptyState icon={ListPlus} title="No fields yet" action={addButton}>
            For example a cooking time for recipes, or a rating for reviews. Every post of this website gets the field.
          </EmptyState>
        ) : (
          <ol
            className="divide-y divide-line rounded-card border border-line bg-surface"
            aria-label="Custom fields, in the order writers see them"
          >
            {definitions.map((definition, position) => (
              <FieldRow
                key={definition.key}
                definition={definition}
                isFirst={position === 0}
                isLast={position === definitions.length - 1}
                busy={save.isPending}
                onMove={(by) => void move(position, position + by)}
                onEdit={() => setEditing(definition)}
                onDelete={() => setRemoving(definition)}
              />
            ))}
          </ol>
        )}
      </div>
      {editing && (
        <FieldDialog
          definition={editing === "new" ? null : editing}
          taken={definitions.map(({ key }) => key).filter((key) => editing === "new" || key !== editing.key)}
          onClose={() => setEditing(null)}
          onSave={async (next) => {
            // By its key: the list may have come anew since it was opened. A field that is gone by now is added.
            const found = definitions.findIndex(({ key }) => editing !== "new" && key === editing.key);
            const isAdded = editing === "new" || found === -1;
            await put(isAdded ? [...definitions, next] : definitions.with(found, { ...definitions[found]!, ...changesIn(editing, next) }));
            toast.ok(editing === "new" ? `Field ${next.label} added.` : `Field ${next.label} saved.`);
          }}
        />
      )}
      <ConfirmDialog
        open={removing !== null}
        onOpenChange={(open) => !open && setRemoving(null)}
        title={`Delete the field ${removing?.label ?? ""}?`}
        action="Delete field"
        onConfirm={async () => {
          const before = definitions;
          const saved = await put(before.filter(({ key }) => key !== removing?.key));
          toast.ok(`Field ${removing?.label} deleted.`, undo(saved, before));
        }}
      >
        Writers no longer see it. Existing values stay in the posts, and in the API until the post’s fields are edited. To bring them back,
        add a field with the same key and type.
      </ConfirmDialog>
    </Page>
  );
}

/** The parts that were changed here: others may have changed the rest since the field was opened. */
const changesIn = (before: FieldDefinition, next: FieldDefinition): Partial<FieldDefinition> =>
  Object.fromEntries(
    Object.entries(next).filter(([part, value]) => JSON.stringify(value) !== JSON.stringify(before[part as keyof FieldDefinition])),
  );
