import { Link } from "@tanstack/react-router";
import { ChevronRight, Globe, Plus } from "lucide-react";
import { useWorkspaceContext } from "../../shell/website-context.ts";
import { buttonClass } from "../../ui/button.tsx";
import { Card } from "../../ui/card.tsx";

export function WebsitesCard() {
  const { workspace, may } = useWorkspaceContext();
  return (
    <Card
      title="Websites"
      action={
        may("website.manage") && (
          <Link to="/welcome" className={buttonClass({ size: "sm" })}>
            <Plus aria-hidden /> New website
          </Link>
        )
      }
    >
      {workspace.websites.length === 0 ? (
        <p className="text-sm text-muted">No websites yet.</p>
      ) : (
        <ul className="-mx-2 flex flex-col">
          {workspace.websites.map(({ id, name }) => (
            <li key={id}>
              <Link
                to="/s/$websiteId"
                params={{ websiteId: id }}
                className="flex items-center gap-3 rounded-control px-2 py-2 hover:bg-hover"
              >
                <Globe aria-hidden className="size-4 shrink-0 text-muted" />
                <span className="min-w-0 flex-1 truncate text-sm font-medium">{name}</span>
                <ChevronRight aria-hidden className="size-4 text-muted" />
              </Link>
            </li>
          ))}
        </ul>
      )}
    </Card>
  );
}
