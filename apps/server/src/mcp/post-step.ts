import type { z } from "zod";
import type { PostView } from "#operations/posts/helpers/post-view";
import type { Operation } from "#operations/kernel/operation";
import { heldWords } from "./held.ts";
import { changedPost, expectedVersion, headOf, lineOf, post, website } from "./shapes.ts";
import { type Tool, tool, type ToolKind } from "./tool.ts";
import type { ToolRun } from "./tool-run.ts";

interface PostStep<Input, More extends z.ZodRawShape> {
  readonly name: string;
  readonly title: string;
  readonly description: string;
  readonly kind: ToolKind;
  readonly takesAway?: boolean;
  readonly idempotent?: boolean;
  readonly operation: Operation<"post", Input, PostView>;
  /** The arguments beside the post and its version, and the operation's names for them. */
  readonly more?: More;
  readonly given?: (call: ToolRun, input: z.infer<z.ZodObject<More>>) => object | Promise<object>;
  /** Before the line about the post. */
  readonly said: string;
  /** After it: what is not to be seen there. */
  readonly next?: string | ((call: ToolRun, done: PostView) => Promise<string>);
}

/** A tool that takes one step with a post, from the version that was read, by one operation. */
export function postStep<Input, More extends z.ZodRawShape>(step: PostStep<Input, More>): Tool {
  const { operation, more, given, said, next, ...words } = step;
  return tool({
    ...words,
    input: { website, post, expectedVersion, ...more },
    output: changedPost,
    async run(call, input) {
      const { website: where, post: named, expectedVersion: before } = input as { website?: string; post: string; expectedVersion: number };
      const websiteId = await call.website(where);
      const postId = await call.post(websiteId, named);
      const rest = await given?.(call, input as never);
      const done = await call.run(operation, { websiteId, postId, expectedVersion: before, ...rest });
      call.changed({ id: done.id, label: done.working.title }, before, done.version);
      const head = headOf(done);
      // It is done: an answer that cannot be given any more, such as to a person who lost their role this instant, must not look like a failure.
      const held = heldWords(done);
      if (held) return { data: { post: head }, text: `${held} ${lineOf(head)}` };
      const more = typeof next === "function" ? await next(call, done).catch(() => undefined) : next;
      return { data: { post: head }, text: `${said} ${lineOf(head)}${more === undefined ? "" : `. ${more}`}` };
    },
  });
}
