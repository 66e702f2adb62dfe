import type { BodyEditorProps, BodyImage } from "../body-editor-props.ts";
import { element } from "../views/plain-view.ts";

/** What becomes of an image: it arrived, or there is nothing to wait for any more. */
interface Outcome {
  readonly arrived: (image: BodyImage) => void;
  readonly gone: () => void;
}

/** Sends an image and shows how far it is. It can be stopped; when it fails, the reason stands there and it can be tried again. */
export function uploadCard(file: File, upload: BodyEditorProps["onImageUpload"], { arrived, gone }: Outcome): HTMLElement {
  const name = file.name || "image";
  const words = element("span", { class: "words" });
  const bar = element("progress", { max: "1", "aria-label": `Upload of ${name}` });
  const share = element("span", { class: "share", "aria-hidden": "true" });
  const again = element("button", { type: "button" }, "Try again");
  const leave = element("button", { type: "button" });
  const dom = element("span", { class: "upload-card", contenteditable: "false" }, words, bar, share, again, leave);
  let stop = new AbortController();

  const show = (failure: string | null): void => {
    const isSending = failure === null;
    words.setAttribute("role", isSending ? "status" : "alert");
    words.textContent = isSending ? `Uploading ${name}` : `${name} could not be uploaded. ${failure}`;
    bar.hidden = share.hidden = !isSending;
    again.hidden = isSending;
    leave.textContent = isSending ? "Cancel" : "Remove";
    dom.classList.toggle("failed", !isSending);
  };
  const progress = (done: number): void => {
    bar.value = done;
    share.textContent = `${Math.floor(done * 100)} %`;
  };
  const start = (): void => {
    stop = new AbortController();
    const { signal } = stop;
    show(null);
    progress(0);
    upload(file, { signal, onProgress: progress }).then(
      (image) => (image === null ? gone() : arrived(image)),
      (error: unknown) => {
        if (!signal.aborted) show(error instanceof Error ? error.message : "Something went wrong.");
      },
    );
  };
  again.addEventListener("click", () => {
    leave.focus();
    start();
  });
  leave.addEventListener("click", () => {
    stop.abort();
    gone();
  });
  start();
  return dom;
}
