import { type ReactNode, useRef, useState } from "react";
import type { Output } from "../../../api/wire.ts";
import { MediaPicker } from "./media-picker.tsx";

export type PickedMedia = Output<"list_media">["items"][number];

/** Asks for an image of the library; null when none was chosen. */
export function usePickImage(): { pick: () => Promise<PickedMedia | null>; dialog: ReactNode } {
  const [isOpen, setOpen] = useState(false);
  const answer = useRef<((media: PickedMedia | null) => void) | null>(null);
  const end = (media: PickedMedia | null) => {
    setOpen(false);
    answer.current?.(media);
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
