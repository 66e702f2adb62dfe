import type { SuiteBlog } from "../suite-blog.ts";
import type { ScriptedServer, Step } from "../../../../../packages/client/test/scripted-answers.ts";

/** Where the process is that has the service and the scripted servers; the program that was bundled is told. */
declare const CONTROL: string;

async function control<Answer>(name: string, ...args: unknown[]): Promise<Answer> {
  const response = await fetch(`${CONTROL}/control/${name}`, { method: "POST", body: JSON.stringify(args) });
  if (!response.ok) throw new Error(`${name}: ${await response.text()}`);
  return ((await response.json()) as { answer: Answer }).answer;
}

export async function serve(...steps: readonly Step[]): Promise<ScriptedServer> {
  const id = await control<number>("script", steps);
  return {
    url: `${CONTROL}/scripted/${id}`,
    asked: () => control("asked", id),
    most: () => control("most", id),
    release: () => control("release", id),
  };
}

export async function openSuiteBlog(): Promise<SuiteBlog> {
  const facts = await control<Pick<SuiteBlog, "url" | "key" | "websiteId">>("blog");
  return {
    ...facts,
    post: (...args) => control("post", ...args),
    unpublish: (...args) => control("unpublish", ...args),
    previewOf: (...args) => control("previewOf", ...args),
    makeKey: (...args) => control("makeKey", ...args),
    freeKey: () => control("freeKey"),
    close: async () => {},
  };
}
