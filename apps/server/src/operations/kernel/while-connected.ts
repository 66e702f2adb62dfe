import { fail } from "#domain/failure";
import type { ContentStore } from "#ports/content-store";
import type { ConnectionStanding } from "#ports/connections";
import type { Call, InWebsite, Operation, Scope } from "./operation.ts";
import type { Services } from "./services.ts";

/**
 * The context of a tool's change. A call was let in some time ago: it may have waited for a lock or read an image from a slow host, and
 * its owner may have disconnected the tool since. Each write of it therefore asks again, in the moment in which it is made.
 */
export function onlyWhileConnected<S extends Scope, Input, Output, Context extends Call>(
  { activity }: Operation<S, Input, Output>,
  context: Context,
): Context {
  const { actor, services, content, website, workspace, role } = context as Context & Partial<InWebsite>;
  if (actor.type !== "tool" || activity === "none" || !content || !workspace || !role) return context;
  const { id: connectionId, allowDelete } = actor.grant;
  const standing = { connectionId, userId: actor.userId, workspaceId: workspace.id, role, allowDelete };
  const isOurs = website?.home.kind !== "own";
  return { ...context, content: whileConnected(content, services, standing, isOurs) };
}

/**
 * The store for one call of a connected tool. A post is saved in one statement with the question, where the store lies in our own
 * database. For any other write the connection is held while it is made, and whoever ends it waits: that is as good with content in
 * MongoDB, unless our own database goes away in the middle of it or the other one takes longer than Disconnect is willing to wait.
 * A customer's database may take as long as it likes, and few connections can be held at once: there it is only asked right before
 * each write, so that nobody else's tools wait for it. What was on its way when the tool was disconnected may land there.
 */
function whileConnected(content: ContentStore, { connections }: Services, standing: ConnectionStanding, isOurs: boolean): ContentStore {
  const { posts, terms, media, beside } = content;
  const { saveWhole } = posts;
  const held =
    <Args extends unknown[], Result extends string>(write: (...args: Args) => Promise<Result>) =>
    async (...args: Args): Promise<Result> => {
      if (!isOurs) {
        if (!(await connections.isInForce(standing))) throw endedMeanwhile();
        return write(...args);
      }
      const result = await connections.whileInForce(standing, () => write(...args));
      if (result === null) throw endedMeanwhile();
      return result;
    };
  return {
    ...content,
    posts: {
      ...posts,
      insert: held(posts.insert),
      save: held(posts.save),
      ...(saveWhole && {
        async saveWhole(save) {
          const result = await saveWhole({ ...save, onlyWhile: standing });
          if (result !== "saved" && !(await connections.isInForce(standing))) throw endedMeanwhile();
          return result;
        },
      }),
    },
    terms: { ...terms, insert: held(terms.insert), save: held(terms.save), delete: held(terms.delete) },
    beside: { ...beside, insert: held(beside.insert), save: held(beside.save) },
    media: { ...media, insert: held(media.insert), save: held(media.save), delete: held(media.delete) },
  };
}

const endedMeanwhile = () =>
  fail(
    "GRANT_FORBIDS",
    "This app was disconnected, or its access was changed, while the call was running. Nothing was saved. If the app is still connected, call again.",
  );
