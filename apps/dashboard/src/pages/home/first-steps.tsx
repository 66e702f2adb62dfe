import { Link } from "@tanstack/react-router";
import { Code2, type LucideIcon, PenLine, UserPlus } from "lucide-react";
import type { ReactNode } from "react";
import { useNewPost } from "../../shell/new-post.ts";
import { useWebsiteContext } from "../../shell/website-context.ts";
import { Button, buttonClass } from "../../ui/button.tsx";

/** A website without a post: how it begins. */
export function FirstSteps() {
  const { website, workspace, may } = useWebsiteContext();
  const newPost = useNewPost();
  return (
    <section aria-labelledby="first-steps" className="rounded-card border border-line bg-surface">
      <header className="px-5 pt-5 sm:px-6">
        <h2 id="first-steps" className="font-serif text-xl font-medium">
          Get started
        </h2>
        <p className="mt-1 text-sm text-muted">Start anywhere. Readers see nothing until you publish.</p>
      </header>
      <ol className="divide-y divide-line px-5 py-2 sm:px-6">
        {may("post.create") && (
          <Step
            icon={PenLine}
            title="Write your first post"
            text="Your text is saved while you write."
            action={
              <Button variant="primary" onClick={() => void newPost()}>
                Start writing
              </Button>
            }
          />
        )}
        {may("key.manage") && (
          <Step
            icon={Code2}
            title="Connect your website"
            text="Create an API key and fetch your posts from Next.js, Astro or any HTTP client."
            action={
              <Link to="/s/$websiteId/connect" params={{ websiteId: website.id }} className={buttonClass()}>
                Show me how
              </Link>
            }
          />
        )}
        {may("member.manage") && (
          <Step
            icon={UserPlus}
            title="Invite your team"
            text="Add editors, authors and contributors."
            action={
              <Link to="/w/$workspaceId/members" params={{ workspaceId: workspace.id }} className={buttonClass()}>
                Invite
              </Link>
            }
          />
        )}
      </ol>
    </section>
  );
}

function Step({ icon: Icon, title, text, action }: { icon: LucideIcon; title: string; text: string; action: ReactNode }) {
  return (
    <li className="flex flex-wrap items-center gap-x-4 gap-y-3 py-4">
      <span className="grid size-10 shrink-0 place-items-center rounded-full bg-accent-soft text-accent">
        <Icon aria-hidden className="size-5" />
      </span>
      <div className="min-w-48 flex-1">
        <h3 className="font-medium">{title}</h3>
        <p className="text-sm text-muted">{text}</p>
      </div>
      {action}
    </li>
  );
}
