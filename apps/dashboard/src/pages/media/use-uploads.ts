import { type QueryClient, useQueryClient } from "@tanstack/react-query";
import { uploadMedia } from "../../api/upload.ts";
import { keyedState } from "../../lib/keyed-state.ts";
import { messageOf } from "../../lib/problem.ts";
import { warnBeforeClose } from "../../lib/warn-before-close.ts";
import { toast } from "../../ui/toast.tsx";

interface Upload {
  readonly id: number;
  readonly file: File;
  /** 0 to 1. */
  readonly share: number;
  /** The reason why the upload failed; it can be tried again then. */
  readonly error: string | null;
}

export interface Uploads {
  readonly list: readonly Upload[];
  add(files: readonly File[]): void;
  retry(upload: Upload): void;
  dismiss(upload: Upload): void;
}

/** More at once would only make each of them slower. */
const AT_ONCE = 3;

/** By website, beside the page: uploads go on while one looks at something else. */
const uploads = keyedState<readonly Upload[]>([]);
const waiting: (() => Promise<void>)[] = [];
let running = 0;
let last = 0;

/** Files on their way to the server. Those that arrived leave the list; those that did not stay and say why. */
export function useUploads(websiteId: string): Uploads {
  const client = useQueryClient();
  return {
    list: uploads.useValue(websiteId),
    add(files) {
      const added = files.map((file): Upload => ({ id: ++last, file, share: 0, error: null }));
      uploads.set(websiteId, [...uploads.get(websiteId), ...added]);
      for (const each of added) send(client, websiteId, each);
    },
    retry(upload) {
      change(websiteId, upload.id, { share: 0, error: null });
      send(client, websiteId, upload);
    },
    dismiss: ({ id }) => change(websiteId, id, null),
  };
}

const change = (websiteId: string, id: number, next: Partial<Upload> | null): void =>
  uploads.set(
    websiteId,
    uploads.get(websiteId).flatMap((each) => (each.id !== id ? [each] : next === null ? [] : [{ ...each, ...next }])),
  );

function send(client: QueryClient, websiteId: string, { id, file }: Upload): void {
  waiting.push(async () => {
    try {
      await uploadMedia(websiteId, file, { onProgress: (share) => change(websiteId, id, { share }) });
      change(websiteId, id, null);
      await Promise.all(["list_media", "get_usage"].map((name) => client.invalidateQueries({ queryKey: [name] })));
    } catch (error) {
      change(websiteId, id, { error: messageOf(error) });
      if (!uploads.isShown(websiteId)) toast.error(`${file.name} could not be uploaded. See Media. ${messageOf(error)}`);
    }
  });
  pump();
}

function pump(): void {
  while (running < AT_ONCE) {
    const next = waiting.shift();
    if (!next) return;
    running += 1;
    void warnBeforeClose(next()).finally(() => {
      running -= 1;
      pump();
    });
  }
}
