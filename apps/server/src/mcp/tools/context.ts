import { z } from "zod";
import type { Role } from "@stet/contract";
import { PERMISSIONS } from "#domain/access";
import { getAccount } from "#operations/accounts/get-account";
import { countPosts } from "#operations/posts/list-posts";
import { listTerms } from "#operations/terms/list-terms";
import { fencedStyleGuide, oneLine, quoted } from "../content.ts";
import { wallClock } from "../local-time.ts";
import { website } from "../shapes.ts";
import { tool } from "../tool.ts";
import type { ToolRun } from "../tool-run.ts";
import { type ReachableWebsite, reachableWebsites, websiteNamed } from "../websites.ts";

/** Enough to choose from; the rest is in list_categories. */
const CATEGORIES_SHOWN = 50;

const details = z.object({
  id: z.string(),
  name: z.string(),
  publicUrl: z.string().nullable(),
  language: z.string(),
  timeZone: z.string(),
  localTime: z.string(),
  styleGuide: z.string(),
  changesToPublishedPostsWaitForReview: z.boolean(),
  fields: z.array(z.looseObject({ key: z.string(), type: z.string(), required: z.boolean() })),
  posts: z.record(z.string(), z.int()),
  categories: z.array(z.object({ id: z.string(), name: z.string() })),
});

export const getContext = tool({
  name: "get_context",
  title: "Where you are",
  description:
    "Call this first. Shows who you act for, your workspaces, websites and roles, whether you can delete, and how many posts you can still publish this hour; and for one website (the only one, or the one you name) its style guide, custom fields, categories and post counts. Follow the style guide in everything you write.",
  kind: "read",
  input: { website },
  output: {
    person: z.string(),
    mayDelete: z.boolean(),
    publishesLeftThisHour: z.int(),
    workspaces: z.array(
      z.object({
        id: z.string(),
        name: z.string(),
        role: z.string(),
        publishes: z.enum(["any", "own", "none"]),
        websites: z.array(z.object({ id: z.string(), name: z.string() })),
      }),
    ),
    website: details.nullable(),
    undoUrl: z.string().nullable(),
    now: z.string(),
  },
  async run(call, input) {
    const { services, actor, connection } = call.caller;
    const [account, websites, left] = await Promise.all([
      call.run(getAccount, {}),
      reachableWebsites(services, actor),
      call.caller.publishesLeft(),
    ]);
    const byId = websites.find(({ id }) => id === input.website);
    const shown = byId ?? (input.website !== undefined || websites.length === 1 ? websiteNamed(websites, input.website) : null);
    if (shown) call.scope = { websiteId: shown.id, workspaceId: shown.workspaceId };
    // Where one website is meant, its role; else whatever any of them allows.
    const roles = shown ? [shown.workspace.role] : account.workspaces.map(({ role }) => role);
    const data = {
      person: account.name,
      mayDelete: connection.allowDelete && roles.some((role) => PERMISSIONS["post.delete"][role] !== "none"),
      publishesLeftThisHour: roles.some(canPublish) ? left : 0,
      workspaces: account.workspaces.map(({ id, name, role }) => ({
        id,
        name,
        role,
        publishes: PERMISSIONS["post.publish"][role],
        websites: websites.filter((one) => one.workspaceId === id).map((one) => ({ id: one.id, name: one.name })),
      })),
      website: shown && (await detailsOf(call, shown)),
      undoUrl: shown && `${services.settings.publicUrl}/w/${shown.workspaceId}/connected-apps/${connection.id}`,
      now: services.clock().toISOString(),
    };
    return { data, text: textOf(data, { roleAllows: roles.some(canPublish), appAllows: connection.publishPerHour > 0 }) };
  },
});

const canPublish = (role: Role): boolean => PERMISSIONS["post.publish"][role] !== "none";

async function detailsOf(call: ToolRun, { id, name, settings, fieldDefinitions }: ReachableWebsite): Promise<z.infer<typeof details>> {
  const [posts, categories] = await Promise.all([
    call.run(countPosts, { websiteId: id }),
    call.run(listTerms, { websiteId: id, kind: "category", limit: CATEGORIES_SHOWN }),
  ]);
  return {
    id,
    name,
    publicUrl: settings.publicUrl,
    language: settings.language,
    timeZone: settings.timeZone,
    localTime: wallClock(call.caller.services.clock(), settings.timeZone),
    styleGuide: settings.styleGuide,
    changesToPublishedPostsWaitForReview: settings.holdToolChanges,
    fields: fieldDefinitions.map((field) => ({ ...field })),
    posts,
    categories: categories.items.filter(({ mergedInto }) => mergedInto === null).map((term) => ({ id: term.id, name: term.name })),
  };
}

interface Context {
  readonly person: string;
  readonly mayDelete: boolean;
  readonly publishesLeftThisHour: number;
  readonly workspaces: readonly {
    name: string;
    role: string;
    publishes: keyof typeof PUBLISHES;
    websites: readonly { id: string; name: string }[];
  }[];
  readonly website: z.infer<typeof details> | null;
  readonly undoUrl: string | null;
  readonly now: string;
}

const PUBLISHES = { any: "publishes every post", own: "publishes own posts", none: "writes drafts" } as const;

/** What readers can get from it, or lose by it: less than the budget where the role or the owner of the connection allows less. */
function reachText({ mayDelete, publishesLeftThisHour: left }: Context, { roleAllows, appAllows }: Allowed): string {
  if (!roleAllows)
    return "You cannot publish, unpublish or delete posts: this role writes drafts, and an editor, admin or owner publishes them.";
  const deletes = `You ${mayDelete ? "can" : "cannot"} delete.`;
  if (!appAllows) return `${deletes} You cannot publish or unpublish posts: the owner of this app did not allow it.`;
  return `${deletes} You can publish ${left} more posts this hour.`;
}

interface Allowed {
  readonly roleAllows: boolean;
  readonly appAllows: boolean;
}

function textOf(context: Context, allowed: Allowed): string {
  const { person, workspaces, website: shown, undoUrl, now } = context;
  const lines = [
    `You act for ${quoted(person)}. It is ${now}. ${reachText(context, allowed)}`,
    ...workspaces.map(({ name, role, publishes, websites }) => {
      const list = websites.map((one) => `${quoted(one.name)} (${one.id})`).join(", ");
      return `Workspace ${quoted(name)}, role ${role} (${PUBLISHES[publishes]}): ${list || "no websites"}.`;
    }),
  ];
  if (!shown) {
    if (workspaces.some(({ websites }) => websites.length > 0))
      lines.push("Name one in `website` for its style guide, categories and time.");
    return lines.join("\n");
  }
  const counts = Object.entries(shown.posts).map(([status, count]) => `${count} ${status}`);
  lines.push(
    `Website ${quoted(shown.name)} (${shown.id}): language ${oneLine(shown.language)}, time zone ${oneLine(shown.timeZone)} (there it is ${shown.localTime}), ${oneLine(shown.publicUrl ?? "no public address")}. Posts: ${counts.join(", ")}.`,
    `Categories: ${shown.categories.map((term) => quoted(term.name)).join(", ") || "none"}.`,
  );
  if (shown.fields.length > 0) {
    lines.push(
      `Custom fields: ${shown.fields.map((field) => `${oneLine(field.key)} (${field.type}${field.required ? ", required" : ""})`).join(", ")}.`,
    );
  }
  if (shown.changesToPublishedPostsWaitForReview)
    lines.push(
      "Your changes to published, scheduled, unpublished and trashed posts, and to categories, tags, authors and images that posts use, wait until a person accepts them.",
    );
  lines.push(`Your changes can be reviewed and undone at ${undoUrl}`);
  lines.push(shown.styleGuide.trim() === "" ? "There is no style guide." : `Style guide:\n${fencedStyleGuide(shown.styleGuide, shown.id)}`);
  return lines.join("\n");
}
