import type { FieldType, PlanName, Role } from "@stet/contract";
import type { ContentHome } from "#domain/content-home";
import type { InvitationId, KeyId, UserId, WebsiteId, WorkspaceId } from "#domain/ids";
import type { Timestamp } from "#domain/time";

export interface Workspace {
  readonly id: WorkspaceId;
  readonly name: string;
  readonly plan: PlanName;
  readonly createdAt: Timestamp;
  /** Set when its owner deleted it: invisible at once, erased by the sweep after 30 days. */
  readonly deletedAt: Timestamp | null;
}

export interface FieldDefinition {
  /** The name in `fields` of a post: letters, digits and `_`. */
  readonly key: string;
  readonly label: string;
  readonly type: FieldType;
  readonly required: boolean;
  readonly help: string;
  /** Only for `select`. */
  readonly options: readonly string[];
}

export interface WebsiteSettings {
  /** Where the blog lives, such as `https://example.com/blog`; feeds and the sitemap link there. */
  readonly publicUrl: string | null;
  /** Where "Preview on my site" goes; a token is appended. */
  readonly previewUrl: string | null;
  readonly title: string;
  readonly description: string;
  /** BCP 47, such as `en` or `pt-BR`; chooses the search dictionary. */
  readonly language: string;
  /** IANA name; the dashboard shows schedules in it. */
  readonly timeZone: string;
  /** The owner's words to an assistant about tone, headings, categories. */
  readonly styleGuide: string;
  /** AI changes to published posts wait as suggestions. */
  readonly holdToolChanges: boolean;
}

/** One blog with its content and keys. */
export interface Website {
  readonly id: WebsiteId;
  readonly workspaceId: WorkspaceId;
  readonly name: string;
  readonly settings: WebsiteSettings;
  readonly fieldDefinitions: readonly FieldDefinition[];
  readonly home: ContentHome;
  /** Where readers get the originals of its images, if its owner chose the address of their own store; null: from this service. */
  readonly imageBase: string | null;
  /** Raised on every change of the record; settings are saved with the expected one. */
  readonly version: number;
  readonly createdAt: Timestamp;
  readonly deletedAt: Timestamp | null;
}

export interface Member {
  readonly workspaceId: WorkspaceId;
  readonly userId: UserId;
  readonly role: Role;
  readonly joinedAt: Timestamp;
}

export interface Invitation {
  readonly id: InvitationId;
  readonly workspaceId: WorkspaceId;
  readonly email: string;
  readonly role: Exclude<Role, "owner">;
  readonly invitedBy: UserId;
  readonly createdAt: Timestamp;
  readonly expiresAt: Timestamp;
  readonly acceptedAt: Timestamp | null;
}

/** A project key as it is stored: never the key itself. */
export interface ApiKey {
  readonly id: KeyId;
  readonly websiteId: WebsiteId;
  readonly name: string;
  /** First 4 … last 4 characters, to recognise it by. */
  readonly masked: string;
  /** Keyed hash of the whole key, hex. */
  readonly hash: string;
  /** Which server secret the hash was made under, so that the secret can be rotated. */
  readonly secretId: string;
  /** Allowed origins; empty = any. */
  readonly origins: readonly string[];
  /** Requests a month this key may spend; null = only the plan's quota. */
  readonly monthlyCap: number | null;
  readonly createdAt: Timestamp;
  readonly createdBy: UserId | null;
  /** To the minute. */
  readonly lastUsedAt: Timestamp | null;
  readonly revokedAt: Timestamp | null;
}
