import { useState } from "react";
import { Button } from "../../ui/button.tsx";
import { Notice } from "../../ui/notice.tsx";
import { Step } from "../../ui/step.tsx";
import { ConnectForm } from "./connect-form.tsx";
import { DisconnectStep } from "./disconnect-step.tsx";
import { ActivateStep, MigrateStep } from "./move-steps.tsx";
import type { ContentDatabase, DatabaseCheck, OwnDatabase } from "./words.ts";

/** Test, migrate, activate, disconnect: the way to a database of one's own and back. */
export function DatabaseSteps({ content, check }: { content: ContentDatabase; check: DatabaseCheck | undefined }) {
  const { database } = content;
  if (!database) {
    return (
      <ol className="flex flex-col">
        <Step number={1} title="Test" state="current" description="Connect a database on MongoDB 5.0 or newer, or on a compatible service.">
          <ConnectForm outgoingAddresses={content.outgoingAddresses} onDone={() => {}} />
        </Step>
        <Step
          number={2}
          title="Migrate"
          state="later"
          description="Your content is copied and every record is compared. You can go on writing."
        />
        <Step number={3} title="Activate" state="later" description="Your website reads from and saves to your database." />
        <Step number={4} title="Disconnect" state="later" description="At any time. Your content is copied back first." />
      </ol>
    );
  }
  return (
    <ol className="flex flex-col">
      <ConnectedStep content={content} database={database} />
      <MigrateStep content={content} database={database} />
      <ActivateStep content={content} database={database} />
      <DisconnectStep content={content} isAway={database.needsAddress || check?.error != null} />
    </ol>
  );
}

function ConnectedStep({ content, database }: { content: ContentDatabase; database: OwnDatabase }) {
  const [isChanging, setChanging] = useState(database.needsAddress);
  return (
    <Step
      number={1}
      title="Test"
      state="done"
      description={<span className="break-all">{`Connected to ${database.shown}.`}</span>}
      action={!isChanging && <Button onClick={() => setChanging(true)}>Change address …</Button>}
    >
      {database.needsAddress && (
        <Notice tone="danger">The address cannot be read any more. Enter it again; until then this database cannot be used.</Notice>
      )}
      {isChanging && (
        <>
          {content.home === "own" && (
            <p className="text-sm text-muted">
              You can change the user, the password and the options. To use another database, disconnect this one first.
            </p>
          )}
          <ConnectForm
            outgoingAddresses={content.outgoingAddresses}
            onDone={() => setChanging(false)}
            onCancel={() => setChanging(false)}
          />
        </>
      )}
    </Step>
  );
}
