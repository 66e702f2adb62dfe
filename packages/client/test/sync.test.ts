import { expect, test } from "vitest";
import type { Client } from "../src/index.ts";
import { syncPosts } from "../src/sync.ts";

test("a sync that fails has ended when it says so: nothing is handed out afterwards, and no cursor", async () => {
  const ids = Array.from({ length: 50 }, (_, n) => `post_${n}`);
  const asked: string[] = [];
  let release = () => {};
  const slow = new Promise<void>((resolve) => (release = resolve));
  const client = {
    changes: {
      async *since() {
        const changes = ids.map((postId) => ({ postId, slug: postId, previousSlug: null }));
        yield { changes, cursor: "next", reset: false, fingerprint: "f" };
      },
    },
    posts: {
      async findById(id: string) {
        asked.push(id);
        if (id === "post_0") throw new Error("away");
        await slow;
        return { id, slug: id };
      },
    },
  } as unknown as Client;
  const handed: string[] = [];
  let isOver = false;
  const syncing = syncPosts(client, { cursor: "before", onPost: ({ id }) => handed.push(id), onRemoved: () => {} });
  syncing.catch(() => {}).finally(() => (isOver = true));
  await new Promise((resolve) => setTimeout(resolve));
  expect(isOver).toBe(false);
  release();
  await expect(syncing).rejects.toThrow("away");
  expect([asked.length, handed.length]).toEqual([16, 15]);
});
