import { Link } from "@tanstack/react-router";
import { ArrowLeft, PanelRight } from "lucide-react";
import { plural } from "../../../lib/format.ts";
import { Badge, StatusBadge } from "../../../ui/badge.tsx";
import { IconButton } from "../../../ui/button.tsx";
import { Tooltip } from "../../../ui/tooltip.tsx";
import { useEditorPage } from "../editor-context.tsx";
import type { PostActions } from "../use-post-actions.ts";
import { PreviewMenu } from "../preview/preview-menu.tsx";
import { WritingMenu } from "./writing-menu.tsx";
import { PublishButton } from "./publish-button.tsx";
import { SaveLine } from "./save-line.tsx";

export interface HeaderProps {
  readonly words: number | null;
  readonly actions: PostActions;
  readonly isPanelOpen: boolean;
  readonly onPanel: () => void;
  readonly onFocus: () => void;
  readonly onHelp: () => void;
  readonly onPublish: (as?: "publish" | "schedule") => void;
  readonly onDelete: () => void;
}

export function Header(props: HeaderProps) {
  const { post, at } = useEditorPage();
  return (
    <header className="sticky top-(--notice) z-30 flex flex-wrap items-center gap-x-2 border-b border-line bg-bg/95 px-2 py-1.5 backdrop-blur sm:h-14 sm:flex-nowrap sm:px-3 sm:py-0">
      <Tooltip text="Back to posts">
        <Link
          to="/s/$websiteId/posts"
          params={{ websiteId: at.websiteId }}
          aria-label="Back to posts"
          className="grid size-9 shrink-0 place-items-center rounded-control hover:bg-hover"
        >
          <ArrowLeft aria-hidden className="size-4" />
        </Link>
      </Tooltip>
      {/* On a phone a line of its own, below the buttons. */}
      <div className="order-last flex min-w-0 basis-full items-center gap-2 px-2 pt-1.5 pb-0.5 sm:order-none sm:flex-1 sm:basis-0 sm:p-0">
        <StatusBadge status={post.status} />
        {post.hasUnpublishedChanges && <Badge tone="accent">Unpublished changes</Badge>}
        <SaveLine />
      </div>
      <div className="flex-1 sm:hidden" />
      {props.words !== null && (
        <p className="hidden shrink-0 text-[0.8125rem] text-muted tabular-nums lg:block">{plural(props.words, "word")}</p>
      )}
      {post.status !== "deleted" && <PreviewMenu />}
      <PublishButton actions={props.actions} onPublish={props.onPublish} onDelete={props.onDelete} />
      <WritingMenu onFocus={props.onFocus} onHelp={props.onHelp} />
      <IconButton
        label={props.isPanelOpen ? "Hide side panel" : "Show side panel"}
        aria-pressed={props.isPanelOpen}
        onClick={props.onPanel}
      >
        <PanelRight />
      </IconButton>
    </header>
  );
}
