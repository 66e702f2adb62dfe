import { type WriterSession, WRITERS } from "./shared.ts";

/**
 * People who write: each has a draft, and while they are at it the dashboard saves it once a second, each time with a few words
 * more. "write" begins, "rest" waits for the last answers and tells how many saves there were.
 */
const SECOND = 1_000;
const PARAGRAPH = "What is written is saved as it is written, and nobody who reads is made to wait for it. ";

interface Draft {
  readonly id: string;
  version: number;
  isSaving?: boolean;
}

let session: WriterSession | undefined;
let drafts: Draft[] = [];
let timers: NodeJS.Timeout[] = [];
let saves = 0;
const running = new Set<Promise<void>>();

process.on("message", (message: WriterSession | "write" | "rest") => {
  answer(message).then(
    (told) => process.send?.(told),
    (error: unknown) => {
      console.error(error);
      process.exit(1);
    },
  );
});

async function answer(message: WriterSession | "write" | "rest"): Promise<number> {
  if (message === "write") {
    saves = 0;
    // Spread over the second, as people are.
    timers = drafts.map((draft, index) => setTimeout(() => write(draft), (index * SECOND) / WRITERS));
  } else if (message === "rest") {
    for (const timer of timers) clearInterval(timer);
    await Promise.all(running);
  } else {
    session = message;
    drafts = await Promise.all(
      Array.from({ length: WRITERS }, (_, n) => call<Draft>("create_post", { title: `Draft ${n}`, body: PARAGRAPH.repeat(50) })),
    );
  }
  return saves;
}

function write(draft: Draft): void {
  timers.push(setInterval(() => start(draft), SECOND));
  start(draft);
}

function start(draft: Draft): void {
  // As in the editor: the next save waits for the answer to the last.
  if (draft.isSaving) return;
  draft.isSaving = true;
  const saving = save(draft).finally(() => {
    running.delete(saving);
    draft.isSaving = false;
  });
  running.add(saving);
}

async function save(draft: Draft): Promise<void> {
  const body = PARAGRAPH.repeat(50) + draft.version;
  const saved = await call<Draft>("edit_post", { postId: draft.id, expectedVersion: draft.version, body, autosave: true });
  draft.version = saved.version;
  saves += 1;
}

async function call<T>(operation: string, input: Record<string, unknown>): Promise<T> {
  const { port, origin, cookie, websiteId } = session!;
  const response = await fetch(`http://127.0.0.1:${port}/api/rpc/${operation}`, {
    method: "POST",
    headers: { "Content-Type": "application/json", Origin: origin, Cookie: cookie },
    body: JSON.stringify({ websiteId, ...input }),
  });
  if (!response.ok) throw new Error(`${operation} was answered with ${response.status}: ${await response.text()}`);
  return ((await response.json()) as { data: T }).data;
}
