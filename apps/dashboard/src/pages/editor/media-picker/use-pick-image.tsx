import { type ReactNode, useRef, useState } from "react";
import type { Output } from "../../../api/wire.ts";
import { MediaPicker } from "./media-picker.tsx";

export interface PickedImage {
  readonly media: Output<"list_media">["items"][number];
  /** For this place; the image's own stays as it is. */
  readonly alt: string;
}

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
