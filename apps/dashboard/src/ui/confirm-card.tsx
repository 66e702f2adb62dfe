import { type ReactNode, useState } from "react";
import { Button } from "./button.tsx";
import { Card } from "./card.tsx";
import { ConfirmDialog } from "./confirm-dialog.tsx";

/** A final action on a page of settings: its consequences, and one button that asks before it acts. */
export function ConfirmCard({
  title,
  description,
  button,
  disabled = false,
  question,
  action,
  typeName,
  onConfirm,
  children,
}: {
  title: string;
  description: string;
  /** The label of the button on the card: "Delete website …". */
  button: string;
  disabled?: boolean;
  /** The title of the dialog. */
  question: string;
  action: string;
  /** The name that must be typed, where there is no way back. */
  typeName?: string;
  onConfirm: (typedName: string) => Promise<unknown>;
  /** The text of the dialog: the things that are lost. */
  children: ReactNode;
}) {
  const [asking, setAsking] = useState(false);
  return (
    <Card
      title={title}
      description={description}
      action={
        <Button variant={typeName === undefined ? "outline" : "danger-outline"} disabled={disabled} onClick={() => setAsking(true)}>
          {button}
        </Button>
      }
      className="[&>div]:py-2"
    >
      <ConfirmDialog
        open={asking}
        onOpenChange={setAsking}
        title={question}
        action={action}
        {...(typeName !== undefined && { typeName })}
        onConfirm={onConfirm}
      >
        {children}
      </ConfirmDialog>
    </Card>
  );
}
