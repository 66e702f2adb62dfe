import { createContext, use } from "react";
import type { Output } from "../../api/wire.ts";
import type { AutosaveSnapshot } from "../../autosave/autosave-types.ts";
import type { OpenAutosave } from "../../autosave/open-autosave.ts";
import { type WebsiteContext, useWebsiteContext } from "../../shell/website-context.ts";

export interface EditorValue extends AutosaveSnapshot {
  readonly autosave: OpenAutosave;
  readonly settings: Output<"get_website">;
  /** Why the text cannot be changed; null when it can. */
  readonly readOnly: string | null;
}

const Context = createContext<EditorValue | null>(null);
export const EditorProvider = Context;

/** The post on the page, with its website and workspace. */
export function useEditorPage(): EditorValue & { context: WebsiteContext; at: { websiteId: string; postId: string } } {
  const value = use(Context);
  const context = useWebsiteContext();
  if (!value) throw new Error("There is no post around this.");
  return { ...value, context, at: { websiteId: context.website.id, postId: value.post.id } };
}
