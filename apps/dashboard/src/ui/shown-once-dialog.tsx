import { useBlocker } from "@tanstack/react-router";
import { type ReactNode, useState } from "react";
import { Button } from "./button.tsx";
import { CopyField } from "./copy-field.tsx";
import { Dialog } from "./dialog.tsx";
import { Notice } from "./notice.tsx";

/** A secret, the one time it can be seen: neither a slip of the hand nor Back closes it. */
export function ShownOnceDialog({
  what,
  value,
  title,
  description,
  command,
  code,
  ifLost,
  onClose,
}: {
  /** The noun for the secret: "key". */
  what: string;
  value: string;
  title: string;
  description: ReactNode;
  /** Uses it, ready to paste. */
  command?: string;
  /** Uses it in a program, ready to paste. */
  code?: string;
  /** The advice to a person who did not keep the secret. */
  ifLost: string;
  onClose: () => void;
}) {
  const [warned, setWarned] = useState(false);
  useBlocker({
    shouldBlockFn: () => {
      setWarned(true);
      return true;
    },
  });
  return (
    <Dialog
      // Not the form that stood here before: the focus begins anew.
      key="made"
      open
      width="md"
      onOpenChange={() => setWarned(true)}
      title={title}
      description={description}
      footer={
        <Button variant="primary" onClick={onClose}>
          I saved it
        </Button>
      }
    >
      <div className="flex flex-col gap-4 text-sm">
        <CopyField label={what} value={value} />
        {command !== undefined && (
          <div>
            <p className="mb-1.5 font-medium">Try it</p>
            <CopyField label="command" multiline value={command} />
          </div>
        )}
        {code !== undefined && (
          <div>
            <p className="mb-1.5 font-medium">In your website</p>
            <CopyField label="code" multiline value={code} />
          </div>
        )}
        {warned && (
          <Notice tone="warn" action={<Button onClick={onClose}>Close anyway</Button>}>
            The {what} cannot be shown again. If it is lost, {ifLost}.
          </Notice>
        )}
      </div>
    </Dialog>
  );
}
