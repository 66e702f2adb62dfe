import { queryOptions, useQuery, useQueryClient } from "@tanstack/react-query";
import { KeyRound, Pencil, Plus, Trash2 } from "lucide-react";
import { useState } from "react";
import { authGet, authPost, needsRecentSignIn } from "../../api/auth.ts";
import { addPasskey, canUsePasskeys, hasName } from "../../api/passkeys.ts";
import { deviceWords } from "../../lib/device-words.ts";
import { SignInAgain } from "../../shell/sign-in-again.tsx";
import { Button, IconButton } from "../../ui/button.tsx";
import { Card } from "../../ui/card.tsx";
import { ConfirmDialog } from "../../ui/confirm-dialog.tsx";
import { ErrorState } from "../../ui/error-state.tsx";
import { Loading } from "../../ui/spinner.tsx";
import { TimeAgo } from "../../ui/time-ago.tsx";
import { toast } from "../../ui/toast.tsx";
import { NameDialog } from "./name-dialog.tsx";

interface Passkey {
  readonly id: string;
  readonly name?: string | null;
  readonly createdAt: string;
}

const passkeysOptions = queryOptions({
  queryKey: ["auth", "passkeys"],
  queryFn: ({ signal }) => authGet<readonly Passkey[]>("/passkey/list-user-passkeys", { signal }),
});

const nameOf = ({ name }: Passkey): string => name || "Passkey";

export function PasskeysCard() {
  const client = useQueryClient();
  const { data: passkeys, error, refetch } = useQuery(passkeysOptions);
  const [isAdding, setAdding] = useState(false);
  const [mustSignIn, setMustSignIn] = useState(false);
  const [renamed, setRenamed] = useState<Passkey | null>(null);
  const [removed, setRemoved] = useState<Passkey | null>(null);
  const refresh = () => client.invalidateQueries(passkeysOptions);

  const add = async (name: string) => {
    try {
      await addPasskey(name);
    } catch (failure) {
      if (!needsRecentSignIn(failure)) throw failure;
      setMustSignIn(true);
      return;
    }
    await refresh();
    toast.ok(`Passkey “${name}” added. Use it the next time you sign in.`);
  };
  const rename = async (name: string) => {
    if (!renamed) return;
    await authPost("/passkey/update-passkey", { id: renamed.id, name });
    await refresh();
  };
  const remove = async () => {
    if (!removed) return;
    await authPost("/passkey/delete-passkey", { id: removed.id });
    await refresh();
    toast.ok(`Passkey “${nameOf(removed)}” removed.`);
  };

  return (
    <Card
      title="Passkeys"
      description="Sign in with your fingerprint, face or security key. Nothing to remember, and safe from phishing."
      footer={
        canUsePasskeys() && (
          <Button onClick={() => setAdding(true)}>
            <Plus aria-hidden />
            Add a passkey
          </Button>
        )
      }
    >
      <div className="flex flex-col gap-3">
        {mustSignIn && <SignInAgain>Adding a passkey needs a recent sign-in. Yours is more than a day old.</SignInAgain>}
        {!canUsePasskeys() && <PasskeysUnavailable />}
        {passkeys ? (
          passkeys.length === 0 ? (
            canUsePasskeys() && <p className="text-sm text-muted">No passkeys yet.</p>
          ) : (
            <ul className="-mx-5 -mb-4 divide-y divide-line border-t border-line">
              {passkeys.map((passkey) => (
                <li key={passkey.id} className="flex items-center gap-3 px-5 py-2.5">
                  <KeyRound aria-hidden className="size-4 shrink-0 text-muted" />
                  <div className="min-w-0 flex-1 text-sm">
                    <p className="truncate font-medium">{nameOf(passkey)}</p>
                    <p className="text-muted">
                      Added <TimeAgo at={passkey.createdAt} />
                    </p>
                  </div>
                  <IconButton label={`Rename ${nameOf(passkey)}`} size="sm" onClick={() => setRenamed(passkey)}>
                    <Pencil />
                  </IconButton>
                  <IconButton label={`Remove ${nameOf(passkey)}`} size="sm" onClick={() => setRemoved(passkey)}>
                    <Trash2 />
                  </IconButton>
                </li>
              ))}
            </ul>
          )
        ) : error ? (
          <ErrorState error={error} onRetry={() => void refetch()} />
        ) : (
          <Loading />
        )}
      </div>
      <NameDialog
        open={isAdding}
        onOpenChange={setAdding}
        title="Add a passkey"
        help="A name to recognise it by. Your browser does the rest."
        action="Continue"
        initial={deviceWords(navigator.userAgent).words}
        onName={add}
      />
      <NameDialog
        open={renamed !== null}
        onOpenChange={(open) => !open && setRenamed(null)}
        title="Rename passkey"
        action="Save"
        initial={renamed ? nameOf(renamed) : ""}
        onName={rename}
      />
      <ConfirmDialog
        open={removed !== null}
        onOpenChange={(open) => !open && setRemoved(null)}
        title={`Remove “${removed ? nameOf(removed) : ""}”?`}
        action="Remove"
        onConfirm={remove}
      >
        You can no longer sign in with it. Your device keeps its copy until you delete it there too.
      </ConfirmDialog>
    </Card>
  );
}

/** The reason why passkeys do not work here, and who can change that. */
function PasskeysUnavailable() {
  return (
    <p className="text-sm text-muted">
      {hasName() ? (
        "Passkeys need https and a recent browser."
      ) : (
        <>
          Passkeys need a domain. Set <code>PUBLIC_URL</code> and restart.
        </>
      )}
    </p>
  );
}
