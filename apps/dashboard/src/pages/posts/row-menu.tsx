import { useNavigate } from "@tanstack/react-router";
import { CloudOff, Copy, Eye, Link2, MoreHorizontal, PenLine, RotateCcw, Send, Trash2 } from "lucide-react";
import type { ListedPost } from "../../api/answers.ts";
import { useAct, useOp } from "../../api/hooks.ts";
import { rpc } from "../../api/rpc.ts";
import { copyText } from "../../lib/copy-text.ts";
import { titleOf } from "../../lib/title-of.ts";
import { mayOnPost } from "../../shell/may-on-post.ts";
import { useWebsiteContext } from "../../shell/website-context.ts";
import { IconButton } from "../../ui/button.tsx";
import { Menu, MenuItem, MenuSeparator } from "../../ui/menu.tsx";
import { toast } from "../../ui/toast.tsx";
import { openPreview } from "./open-preview.ts";
import { POST_ACTIONS, type PostActionName } from "./post-actions.ts";

const ICONS: Readonly<Record<PostActionName, typeof Send>> = {
  publish: Send,
  update: Send,
  unpublish: CloudOff,
  trash: Trash2,
  restore: RotateCcw,
  purge: Trash2,
};
const DANGEROUS: readonly PostActionName[] = ["trash", "purge"];

interface RowMenuProps {
  readonly post: ListedPost;
  readonly onAct: (action: PostActionName, posts: readonly ListedPost[]) => void;
}

/** The actions on one post. The items are rendered when the menu opens, because a long list has many menus. */
export function RowMenu(props: RowMenuProps) {
  return (
    <Menu
      trigger={
        <IconButton label={`Actions for ${titleOf(props.post)}`} size="sm" data-menu>
          <MoreHorizontal />
        </IconButton>
      }
    >
      <RowMenuItems {...props} />
    </Menu>
  );
}

/** Within what this person may do to the post. */
function RowMenuItems({ post, onAct }: RowMenuProps) {
  const context = useWebsiteContext();
  const navigate = useNavigate();
  const params = { websiteId: context.website.id, postId: post.id };
  const website = useOp("get_website", { websiteId: context.website.id });
  const duplicate = useAct("duplicate_post", {
    stale: ["list_posts", "count_posts"],
    onSuccess: (copy) =>
      toast.ok("Duplicated as a draft.", {
        label: "Open",
        run: () => void navigate({ to: "/s/$websiteId/posts/$postId", params: { ...params, postId: copy.id } }),
      }),
    onError: toast.error,
  });
  const publicUrl = website.data?.settings.publicUrl;
  const isTrash = post.status === "deleted";
  const possible = (Object.keys(POST_ACTIONS) as PostActionName[]).filter(
    (name) => POST_ACTIONS[name].appliesTo(post) && mayOnPost(context, POST_ACTIONS[name].permission, post),
  );
  const items = (names: readonly PostActionName[]) =>
    names.map((name) => {
      const Icon = ICONS[name];
      return (
        <MenuItem key={name} danger={DANGEROUS.includes(name)} onSelect={() => onAct(name, [post])}>
          <Icon aria-hidden /> {POST_ACTIONS[name].label}
        </MenuItem>
      );
    });
  return (
    <>
      <MenuItem onSelect={() => void navigate({ to: "/s/$websiteId/posts/$postId", params })}>
        <PenLine aria-hidden /> Open
      </MenuItem>
      {!isTrash && (
        <MenuItem onSelect={() => void openPreview(params)}>
          <Eye aria-hidden /> Preview
        </MenuItem>
      )}
      {post.status === "published" && publicUrl && (
        <MenuItem onSelect={() => void copyLink(publicUrl, post)}>
          <Link2 aria-hidden /> Copy link
        </MenuItem>
      )}
      {!isTrash && context.may("post.create") && (
        <MenuItem onSelect={() => duplicate.mutate(params)}>
          <Copy aria-hidden /> Duplicate
        </MenuItem>
      )}
      {possible.length > 0 && <MenuSeparator />}
      {items(possible.filter((name) => !DANGEROUS.includes(name)))}
      {items(possible.filter((name) => DANGEROUS.includes(name)))}
    </>
  );
}

/** The address readers know: a slug that was changed and not published yet leads nowhere. */
async function copyLink(publicUrl: string, post: ListedPost): Promise<void> {
  try {
    const live = post.hasUnpublishedChanges ? await rpc("get_post", { websiteId: post.websiteId, postId: post.id }) : null;
    const link = `${publicUrl}/${live?.live?.content.slug ?? post.working.slug}`;
    await copyText(link, `Link: ${link}`);
    toast.ok("Link copied.");
  } catch (error) {
    toast.error(error);
  }
}
