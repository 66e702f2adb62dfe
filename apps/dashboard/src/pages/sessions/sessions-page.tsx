import { useMutation, useQuery, useQueryClient } from "@tanstack/react-query";
import { Monitor, Smartphone } from "lucide-react";
import { useState } from "react";
import { authPost, needsRecentSignIn } from "../../api/auth.ts";
import { type DeviceSession, SESSIONS_KEY, sessionsOptions } from "../../api/device-sessions.ts";
import { deviceWords } from "../../lib/device-words.ts";
import { formatDate } from "../../lib/time.ts";
import { SignInAgain } from "../../shell/sign-in-again.tsx";
import { Badge } from "../../ui/badge.tsx";
import { Button } from "../../ui/button.tsx";
import { ConfirmDialog } from "../../ui/confirm-dialog.tsx";
import { ErrorState } from "../../ui/error-state.tsx";
import { Page } from "../../ui/page.tsx";
import { Loading } from "../../ui/spinner.tsx";
import { TimeAgo } from "../../ui/time-ago.tsx";
import { toast } from "../../ui/toast.tsx";

export function SessionsPage() {
  const client = useQueryClient();
  const { data: sessions, error, refetch } = useQuery(sessionsOptions);
  const [isAsking, setAsking] = useState(false);
  const others = sessions?.filter(({ isThis }) => !isThis) ?? [];
  const endOthers = async () => {
    await authPost("/revoke-other-sessions", {});
    await client.invalidateQueries({ queryKey: SESSIONS_KEY });
    toast.ok("All other devices are signed out.");
  };
  return (
    <Page
      title="Sessions"
      description="Where you are signed in. Sign out any device you do not recognise."
      narrow
      actions={
        others.length > 0 && (
          <Button variant="danger-outline" onClick={() => setAsking(true)}>
            Sign out all other devices
          </Button>
        )
      }
    >
      {sessions ? (
        <ul className="divide-y divide-line rounded-card border border-line bg-surface">
          {sessions.map((session) => (
            <SessionRow key={session.id} session={session} />
          ))}
        </ul>
      ) : needsRecentSignIn(error) ? (
        <SignInAgain>Your devices are shown only after a recent sign-in. Yours is more than a day old.</SignInAgain>
      ) : error ? (
        <ErrorState error={error} onRetry={() => void refetch()} />
      ) : (
        <Loading />
      )}
      <ConfirmDialog
        open={isAsking}
        onOpenChange={setAsking}
        title="Sign out all other devices?"
        action="Sign out all other devices"
        onConfirm={endOthers}
      >
        Every device except this one has to sign in again. Unsaved work there may be lost.
      </ConfirmDialog>
    </Page>
  );
}

function SessionRow({ session }: { session: DeviceSession }) {
  const client = useQueryClient();
  const { words, isPhone } = deviceWords(session.userAgent);
  const Icon = isPhone ? Smartphone : Monitor;
  const end = useMutation({
    mutationFn: () => authPost("/revoke-session", { token: session.token }),
    onSuccess: async () => {
      await client.invalidateQueries({ queryKey: SESSIONS_KEY });
      toast.ok(`${words} is signed out.`);
    },
    onError: (error) => toast.error(error),
  });
  return (
    <li className="flex flex-wrap items-center gap-x-4 gap-y-2 px-4 py-3.5 sm:px-5">
      <Icon aria-hidden className="size-5 shrink-0 text-muted" />
      <div className="min-w-40 flex-1 text-sm">
        <p className="flex flex-wrap items-center gap-2 font-medium">
          {words}
          {session.isThis && <Badge tone="ok">This device</Badge>}
        </p>
        <p className="text-muted">
          Signed in <TimeAgo at={session.createdAt} />
          {session.ipAddress && ` from ${session.ipAddress}`}, expires {formatDate(session.expiresAt)}
        </p>
      </div>
      {!session.isThis && (
        <Button size="sm" busy={end.isPending} aria-label={`Sign out ${words}`} onClick={() => end.mutate()}>
          Sign out
        </Button>
      )}
    </li>
  );
}
