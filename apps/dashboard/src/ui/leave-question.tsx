import { type ReactNode, useState } from "react";
import { Button } from "./button.tsx";

/** Keeps a dialog with unsaved changes from closing by accident: `question` then replaces its buttons. */
export function useLeaveQuestion(isTouched: boolean, onClose: () => void): { leave: () => void; stay: () => void; question: ReactNode } {
  const [isAsking, setAsking] = useState(false);
  const stay = () => setAsking(false);
  return {
    leave: () => (isTouched ? setAsking(!isAsking) : onClose()),
    stay,
    question: isAsking && isTouched && (
      <>
        <p role="alert" className="mr-auto self-center text-sm max-sm:w-full">
          Discard your changes?
        </p>
        <Button onClick={onClose}>Discard</Button>
        <Button variant="primary" ref={focused} onClick={stay}>
          Keep editing
        </Button>
      </>
    ),
  };
}

const focused = (button: HTMLButtonElement | null): void => button?.focus();
