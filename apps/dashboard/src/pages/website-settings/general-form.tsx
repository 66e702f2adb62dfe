import { useQueryClient } from "@tanstack/react-query";
import { useRef, useState } from "react";
import type { Website } from "../../api/answers.ts";
import { opOptions, useAct } from "../../api/hooks.ts";
import { rpc } from "../../api/rpc.ts";
import { cn } from "../../lib/cn.ts";
import { isProblem, messageOf } from "../../lib/problem.ts";
import { Button } from "../../ui/button.tsx";
import { LeaveGuard } from "../../ui/leave-guard.tsx";
import { Notice } from "../../ui/notice.tsx";
import { toast } from "../../ui/toast.tsx";
import { AddressFields } from "./address-fields.tsx";
import { AssistantFields } from "./assistant-fields.tsx";
import type { SettingsFieldsProps } from "./settings-fields-props.ts";
import { changedIn, draftOf, labelOf, patchOf, rebased } from "./website-draft.ts";
import { WordingFields } from "./wording-fields.tsx";

export function GeneralForm({ website }: { website: Website }) {
  const client = useQueryClient();
  const [base, setBase] = useState(website);
  const [draft, setDraft] = useState(() => draftOf(website));
  const sent = useRef(draft);
  const [met, setMet] = useState<readonly string[]>();
  const changed = changedIn(draftOf(base), draft);
  // Someone else's change comes in by itself as long as nothing is being typed here.
  if (changed.length === 0 && website.version > base.version) {
    setBase(website);
    setDraft(draftOf(website));
  }

  const save = useAct("update_website", {
    stale: ["session", "list_websites", "get_home"],
    onSuccess: (saved) => {
      client.setQueryData(opOptions("get_website", { websiteId: saved.id }).queryKey, saved);
      setBase(saved);
      // What was typed while the server saved is not saved yet, and stays.
      setDraft((typed) => rebased(sent.current, typed, draftOf(saved)));
      setMet(undefined);
      toast.ok("Settings saved.");
    },
    onError: (problem) => {
      if (isProblem(problem, "VERSION_CONFLICT")) void rebase().catch(toast.error);
    },
  });

  /** Puts what was typed here on top of what is there now, and says where both touched the same. */
  const rebase = async () => {
    const theirs = await rpc("get_website", { websiteId: base.id });
    const [before, now] = [draftOf(base), draftOf(theirs)];
    const mine = changedIn(before, draft);
    setMet(changedIn(before, now).map((key) => `${labelOf(key)}${mine.includes(key) ? " (yours is kept below)" : ""}`));
    setBase(theirs);
    setDraft((typed) => rebased(before, typed, now));
  };

  const errorOf: SettingsFieldsProps["errorOf"] = (key) => save.error?.fieldError(key === "name" ? key : `settings.${key}`);
  const set: SettingsFieldsProps["set"] = (key, value) => setDraft((now) => ({ ...now, [key]: value }));
  const fields = { draft, set, errorOf };
  const isPlain = save.error && save.error.errors.length === 0 && !isProblem(save.error, "VERSION_CONFLICT");

  return (
    <form
      className="flex flex-col gap-6"
      noValidate
      onSubmit={(event) => {
        event.preventDefault();
        sent.current = draft;
        save.mutate({ websiteId: base.id, expectedVersion: base.version, ...patchOf(draftOf(base), draft) });
      }}
    >
      <LeaveGuard when={changed.length > 0 && !save.isPending} />
      <WordingFields {...fields} />
      <AddressFields {...fields} />
      <AssistantFields {...fields} />
      {met && (
        <Notice tone="warn" title="Someone else changed these settings. Nothing was overwritten.">
          {met.length > 0 && <p>Changed by them: {met.join(", ")}.</p>}
          <p>Your changes are still here and not saved. Review them, then save again.</p>
        </Notice>
      )}
      {isPlain && <Notice tone="danger">{messageOf(save.error)}</Notice>}
      <div
        className={cn(
          "flex items-center justify-end gap-2",
          // A person who changes a field at the top sees at the bottom of the window that it is not saved.
          changed.length > 0 && "sticky bottom-0 z-10 -mx-1 border-t border-line bg-bg/95 px-1 py-3 backdrop-blur",
        )}
      >
        <p role="status" className="mr-auto text-sm text-muted">
          {changed.length === 0 ? "All changes saved" : `Unsaved changes: ${changed.map((key) => labelOf(key)).join(", ")}`}
        </p>
        {changed.length > 0 && (
          <Button
            variant="ghost"
            onClick={() => {
              setDraft(draftOf(base));
              setMet(undefined);
              save.reset();
            }}
          >
            Discard
          </Button>
        )}
        <Button type="submit" variant="primary" disabled={changed.length === 0} busy={save.isPending}>
          Save
        </Button>
      </div>
    </form>
  );
}
