import type { Ref } from "react";

export interface OutlineHeading {
  /** The id that the heading has on the published page. */
  readonly id: string;
  readonly depth: number;
  readonly text: string;
}

export interface BodyImage {
  readonly url: string;
  readonly alt: string;
}

/** A piece of the text, by the id of a heading, by the address of an image or a link, or by how many blocks stand before it. */
export interface BodyPart {
  readonly kind: "heading" | "image" | "link" | "block";
  readonly value: string;
}

/** What a page can ask of a body that is being edited. */
export interface BodyEditorHandle {
  getMarkdown(): string;
  /** Takes another text, as one step that can be undone. `onChange` is not called: the caller knows. */
  setMarkdown(markdown: string): void;
  focus(): void;
  insertImage(image: BodyImage): void;
  /** Scrolls to it and selects it. */
  goTo(part: BodyPart): void;
  /** The block that the cursor is in; null in the first, where everybody begins. */
  position(): BodyPart | null;
}

/** The block editor and the source view take the same. */
export interface BodyEditorProps {
  readonly initialMarkdown: string;
  /** Called at every change. Writing the Markdown costs time, so it is done when the function is called. */
  readonly onChange: (markdown: () => string) => void;
  /** Rejects with a sentence that can be shown; null when it was put elsewhere. `onProgress` is told the share that is sent, 0 to 1. */
  readonly onImageUpload: (
    file: File,
    options: { readonly signal: AbortSignal; readonly onProgress: (share: number) => void },
  ) => Promise<BodyImage | null>;
  /** Lets the writer choose from the library; null when they chose nothing. */
  readonly onPickImage?: () => Promise<BodyImage | null>;
  readonly onOutline?: (headings: readonly OutlineHeading[]) => void;
  readonly onWordCount?: (words: number) => void;
  /** Called once when the body would mostly be shown as source anyway. */
  readonly onPreferSource?: () => void;
  readonly readOnly?: boolean;
  readonly autofocus?: boolean;
  /** What the text is, for screen readers. */
  readonly label?: string;
  readonly placeholder?: string;
  readonly ref?: Ref<BodyEditorHandle>;
}
