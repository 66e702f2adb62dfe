import { MANAGED } from "#domain/content-home";
import { newId, type UserId, type WebsiteId, type WorkspaceId } from "#domain/ids";
import type { PostEvent } from "#domain/post";
import { timestamp } from "#domain/time";
import type { ApiKey, Invitation, Member, Website, Workspace } from "#domain/website";
import type { ActivityEntry, Platform } from "#ports/platform";

/** Records for this folder's tests; overrides say what a test is about. */

const EPOCH = Date.UTC(2026, 10, 1, 12);

/** A moment so many seconds after the tests' noon. */
export const moment = (seconds = 0) => timestamp(EPOCH + Math.round(seconds * 1000));

export const aWorkspace = (more: Partial<Workspace> = {}): Workspace => ({
  id: newId("workspace"),
  name: "Gazette",
  plan: "free",
  createdAt: moment(),
  deletedAt: null,
  ...more,
});

export const aMember = (workspaceId: WorkspaceId, more: Partial<Member> = {}): Member => ({
  workspaceId,
  userId: newId("user"),
  role: "owner",
  joinedAt: moment(),
  ...more,
});

export const aWebsite = (workspaceId: WorkspaceId, more: Partial<Website> = {}): Website => ({
  id: newId("website"),
  workspaceId,
  name: "Blog",
  settings: {
    publicUrl: "https://example.com/blog",
    previewUrl: null,
    title: "Blog",
    description: "What we think \u{1f4a1}",
    language: "en",
    timeZone: "Europe/Berlin",
    styleGuide: "",
    holdToolChanges: false,
  },
  home: MANAGED,
  imageBase: null,
  fieldDefinitions: [{ key: "mood", label: "Mood", type: "select", required: false, help: "", options: ["glad", "sad"] }],
  version: 1,
  createdAt: moment(),
  deletedAt: null,
  ...more,
});

export const aKey = (websiteId: WebsiteId, more: Partial<ApiKey> = {}): ApiKey => {
  const id = newId("key");
  return {
    id,
    websiteId,
    name: "Main",
    masked: "stet…abcd",
    hash: `hash of ${id}`,
    secretId: "secret",
    origins: ["example.com", "*.example.com"],
    monthlyCap: null,
    createdAt: moment(),
    createdBy: newId("user"),
    lastUsedAt: null,
    revokedAt: null,
    ...more,
  };
};

export const anInvitation = (workspaceId: WorkspaceId, more: Partial<Invitation> = {}): Invitation => ({
  id: newId("invitation"),
  workspaceId,
  email: "ada@example.com",
  role: "editor",
  invitedBy: newId("user"),
  createdAt: moment(),
  expiresAt: moment(3600),
  acceptedAt: null,
  ...more,
});

export const anEntry = (workspaceId: WorkspaceId, more: Partial<ActivityEntry> = {}): ActivityEntry => {
  const userId = newId("user");
  return {
    id: newId("activity"),
    workspaceId,
    websiteId: null,
    at: moment(),
    actor: { type: "user", id: userId, userId },
    action: "publish_post",
    target: { id: newId("post"), label: "Hello" },
    details: { words: 12 },
    count: 1,
    ...more,
  };
};

export const anEvent = (websiteId: WebsiteId, more: Partial<PostEvent> = {}): PostEvent => ({
  id: newId("event"),
  type: "post.deleted",
  websiteId,
  postId: newId("post"),
  at: moment(),
  actor: { type: "system", id: "retention sweep", userId: null },
  version: 3,
  status: "deleted",
  previousSlug: null,
  changed: [],
  post: null,
  ...more,
});

/** A workspace with its owner and one website, in the store. */
export async function settle(platform: Platform, name = "Gazette"): Promise<{ workspace: Workspace; website: Website; owner: UserId }> {
  const workspace = aWorkspace({ name });
  const owner = aMember(workspace.id);
  const website = aWebsite(workspace.id);
  await platform.workspaces.create(workspace, owner);
  await platform.websites.create(website);
  return { workspace, website, owner: owner.userId };
}
