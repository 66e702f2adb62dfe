import { useQueryClient } from "@tanstack/react-query";
import { useState } from "react";
import { authPost } from "../../api/auth.ts";
import { SESSIONS_KEY } from "../../api/device-sessions.ts";
import { sessionOptions, useSession } from "../../api/session.ts";
import { Badge } from "../../ui/badge.tsx";
import { Button } from "../../ui/button.tsx";
import { Card } from "../../ui/card.tsx";
import { Dialog } from "../../ui/dialog.tsx";
import { toast } from "../../ui/toast.tsx";
import { BackupCodes } from "./backup-codes.tsx";
import { ConfirmApp } from "./confirm-app.tsx";
import { PasswordDialog } from "./password-dialog.tsx";

interface Enrolment {
  readonly totpURI: string;
  readonly backupCodes: readonly string[];
}

type Step =
  | { readonly at: "idle" | "password to turn on" | "password to turn off" | "password for codes" }
  | { readonly at: "app"; readonly enrolment: Enrolment }
  | { readonly at: "codes"; readonly codes: readonly string[] };

const IDLE: Step = { at: "idle" };

export function TwoFactorCard() {
  const { user } = useSession();
  const client = useQueryClient();
  const [step, setStep] = useState<Step>(IDLE);
  const close = (open: boolean) => {
    if (!open) setStep(IDLE);
  };
  const isOn = user.twoFactorEnabled;
  return (
    <Card
      title={
        <span className="flex items-center gap-2">
          Two-factor sign-in
          <Badge tone={isOn ? "ok" : "neutral"}>{isOn ? "On" : "Off"}</Badge>
        </span>
      }
      description="Sign in with your password and a code from an app, so that a stolen password is not enough."
    >
      <div className="flex flex-wrap gap-2">
        {isOn ? (
          <>
            <Button onClick={() => setStep({ at: "password for codes" })}>New backup codes</Button>
            <Button variant="danger-outline" onClick={() => setStep({ at: "password to turn off" })}>
              Turn off
            </Button>
          </>
        ) : (
          <Button variant="primary" onClick={() => setStep({ at: "password to turn on" })}>
            Turn on
          </Button>
        )}
      </div>
      <PasswordDialog
        open={step.at === "password to turn on"}
        onOpenChange={close}
        title="Turn on two-factor sign-in"
        description="You need an authenticator app. Most password managers include one."
        action="Continue"
        onPassword={async (password) => setStep({ at: "app", enrolment: await authPost<Enrolment>("/two-factor/enable", { password }) })}
      />
      <Dialog
        open={step.at === "app"}
        onOpenChange={close}
        title="Add Stet to your app"
        description="Scan the code with your authenticator app, then enter the six digits it shows."
      >
        {step.at === "app" && (
          <ConfirmApp
            uri={step.enrolment.totpURI}
            onConfirmed={async () => {
              setStep({ at: "codes", codes: step.enrolment.backupCodes });
              // The session is a new one from here.
              await Promise.all([client.invalidateQueries(sessionOptions), client.invalidateQueries({ queryKey: SESSIONS_KEY })]);
            }}
          />
        )}
      </Dialog>
      <Dialog
        open={step.at === "codes"}
        onOpenChange={close}
        title="Your backup codes"
        footer={
          <Button variant="primary" onClick={() => setStep(IDLE)}>
            I saved them
          </Button>
        }
      >
        {step.at === "codes" && <BackupCodes codes={step.codes} email={user.email} />}
      </Dialog>
      <PasswordDialog
        open={step.at === "password for codes"}
        onOpenChange={close}
        title="Create new backup codes"
        description="Your current codes stop working."
        action="Create new codes"
        onPassword={async (password) => {
          const { backupCodes } = await authPost<{ backupCodes: readonly string[] }>("/two-factor/generate-backup-codes", { password });
          setStep({ at: "codes", codes: backupCodes });
        }}
      />
      <PasswordDialog
        open={step.at === "password to turn off"}
        onOpenChange={close}
        title="Turn off two-factor sign-in"
        description="You will sign in with your password only. Your backup codes stop working."
        action="Turn off"
        danger
        onPassword={async (password) => {
          await authPost("/two-factor/disable", { password });
          await client.invalidateQueries(sessionOptions);
          setStep(IDLE);
          toast.ok("Two-factor sign-in is off.");
        }}
      />
    </Card>
  );
}
