import { LIMITS } from "@stet/contract";
import { CornerDownRight } from "lucide-react";
import { useState } from "react";
import { rpc } from "../../../api/rpc.ts";
import { ApiProblem, isProblem, messageOf } from "../../../lib/problem.ts";
import { Button } from "../../../ui/button.tsx";
import { Field } from "../../../ui/field.tsx";
import { Input } from "../../../ui/inputs.tsx";
import { toast } from "../../../ui/toast.tsx";
import { useEditorPage } from "../editor-context.tsx";
import { addressOf } from "./post-address.ts";
import { SlugTaken } from "./slug-taken.tsx";

/**
 * The last part of the address. It is taken with a click and not while one types: every slug that is saved belongs to the
 * post from then on.
 */
export function SlugField() {
  const { content, post, autosave, at, readOnly, settings } = useEditorPage();
  // Null: nothing typed here, and the slug is shown as it changes with the title.
  const [typed, setTyped] = useState<string | null>(null);
  const [error, setError] = useState<unknown>(null);
  const [busy, setBusy] = useState(false);
  const slug = tidy(typed ?? content.slug);
  const isNew = slug !== content.slug && slug !== "";
  const take = async (takeSlugFrom?: string) => {
    setBusy(true);
    setError(null);
    try {
      await autosave.runAction((expectedVersion) =>
        rpc("edit_post", { ...at, expectedVersion, slug, ...(takeSlugFrom && { takeSlugFrom }) }),
      );
      setTyped(null);
      toast.ok(
        post.status === "published" ? "The address changes when you publish changes. The old one will redirect to it." : "Address changed.",
      );
    } catch (failure) {
      setError(failure);
    } finally {
      setBusy(false);
    }
  };
  const owner = isProblem(error, "SLUG_TAKEN") && typeof error.facts["postId"] === "string" ? error.facts["postId"] : null;
  return (
    <form
      data-field="slug"
      className="flex flex-col gap-2"
      onSubmit={(event) => {
        event.preventDefault();
        // The button goes when it has done its work.
        event.currentTarget.querySelector("input")?.focus();
        if (isNew) void take();
      }}
    >
      <Field
        label="Address"
        error={error !== null && owner === null ? reasonOf(error) : undefined}
        help={<span className="break-all">{addressOf(settings, slug || content.slug)}</span>}
      >
        {(control) => (
          <div className="flex gap-2">
            <Input
              {...control}
              disabled={readOnly !== null}
              maxLength={LIMITS.slugCharacters}
              autoComplete="off"
              spellCheck={false}
              value={typed ?? content.slug}
              onChange={(event) => {
                setTyped(event.target.value);
                setError(null);
              }}
            />
            {isNew && (
              <Button type="submit" busy={busy}>
                Change
              </Button>
            )}
          </div>
        )}
      </Field>
      {owner !== null && <SlugTaken slug={slug} ownerId={owner} busy={busy} onTakeOver={() => void take(owner)} />}
      {post.slugFollowsTitle && !isNew && <p className="text-[0.8125rem] text-muted">Follows the title until the post is published.</p>}
      {post.pastSlugs.length > 0 && (
        <div className="text-[0.8125rem] text-muted">
          <p>Old addresses that redirect here:</p>
          <ul aria-label="Old addresses" className="mt-1 flex flex-col gap-0.5">
            {post.pastSlugs.map((past) => (
              <li key={past} className="flex items-center gap-1.5 break-all">
                <CornerDownRight aria-hidden className="size-3.5 shrink-0" />/{past}
              </li>
            ))}
          </ul>
        </div>
      )}
    </form>
  );
}

const reasonOf = (error: unknown): string =>
  error instanceof ApiProblem && error.fieldError("slug") ? `The address ${error.fieldError("slug")}.` : messageOf(error);

/** Turns typed text into the form of addresses. Letters that have no such form are left for the server to refuse. */
const tidy = (typed: string): string =>
  typed
    .trim()
    .toLowerCase()
    .replaceAll(/[\s_/]+/g, "-")
    .replaceAll(/-{2,}/g, "-")
    .replaceAll(/^-|-$/g, "");
