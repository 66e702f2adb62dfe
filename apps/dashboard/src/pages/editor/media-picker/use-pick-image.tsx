import { type ReactNode, useRef, useState } from "react";
import { MediaPicker, type PickedImage } from "./media-picker.tsx";

/** Asks for an image of the library; null when none was chosen. */
export function usePickImage(): { pick: () => Promise<PickedImage | null>; dialog: ReactNode } {
  const [isOpen, setOpen] = useState(false);
  const answer = useRef<((image: PickedImage | null) => void) | null>(null);
  const end = (image: PickedImage | null) => {
    setOpen(false);
    answer.current?.(image);
    answer.current = null;
  };
  return {
    pick: () =>
      new Promise((resolve) => {
        answer.current?.(null);
        answer.current = resolve;
        setOpen(true);
      }),
    dialog: isOpen && <MediaPicker onPick={end} onClose={() => end(null)} />,
  };
}
