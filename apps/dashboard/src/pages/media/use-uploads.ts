import { useQueryClient } from "@tanstack/react-query";
import { useRef, useState } from "react";
import { messageOf } from "../../api/problem.ts";
import { uploadMedia } from "../../api/upload.ts";

export interface Upload {
  readonly id: number;
  readonly file: File;
  /** 0 to 1. */
  readonly share: number;
  /** Why it did not arrive; then it can be tried again. */
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

/** Files on their way to the server. Those that arrived leave the list; those that did not stay and say why. */
export function useUploads(websiteId: string): Uploads {
  const [list, setList] = useState<readonly Upload[]>([]);
  const client = useQueryClient();
  const waiting = useRef<{ id: number; file: File }[]>([]);
  const running = useRef(0);
  const last = useRef(0);

  const change = (id: number, next: Partial<Upload> | null) =>
    setList((now) => now.flatMap((each) => (each.id !== id ? [each] : next === null ? [] : [{ ...each, ...next }])));

  const start = async ({ id, file }: { id: number; file: File }) => {
    try {
      await uploadMedia(websiteId, file, { onProgress: (share) => change(id, { share }) });
      change(id, null);
      await Promise.all(["list_media", "get_usage"].map((name) => client.invalidateQueries({ queryKey: [name] })));
    } catch (error) {
      change(id, { error: messageOf(error) });
    }
  };
  const pump = () => {
    while (running.current < AT_ONCE) {
      const next = waiting.current.shift();
      if (!next) return;
      running.current += 1;
      void start(next).finally(() => {
        running.current -= 1;
        pump();
      });
    }
  };
  return {
    list,
    add(files) {
      const added = files.map((file): Upload => ({ id: ++last.current, file, share: 0, error: null }));
      setList((now) => [...now, ...added]);
      waiting.current.push(...added);
      pump();
    },
    retry({ id, file }) {
      change(id, { share: 0, error: null });
      waiting.current.push({ id, file });
      pump();
    },
    dismiss: ({ id }) => change(id, null),
  };
}
