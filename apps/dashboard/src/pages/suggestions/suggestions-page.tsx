import { Link, useSearch } from "@tanstack/react-router";
import { Lightbulb } from "lucide-react";
import { useState } from "react";
import type { Suggestion } from "../../api/answers.ts";
import { useOpPages } from "../../api/hooks.ts";
import { RequirePermission } from "../../shell/require-permission.tsx";
import { SuggestionDialog } from "../../shell/suggestions/suggestion-dialog.tsx";
import { suggestionRights } from "../../shell/suggestions/suggestion-rights.ts";
import { useDecide } from "../../shell/suggestions/use-decide.ts";
import { useOpenSuggestions } from "../../shell/suggestions/use-open-suggestions.ts";
import { useActorNames } from "../../shell/use-actor-names.ts";
import { useWebsiteContext } from "../../shell/website-context.ts";
import { EmptyState } from "../../ui/empty-state.tsx";
import { ErrorState } from "../../ui/error-state.tsx";
import { LoadMore } from "../../ui/load-more.tsx";
import { Page } from "../../ui/page.tsx";
import { Loading } from "../../ui/spinner.tsx";
import { LinkTab, LinkTabs } from "../../ui/tabs.tsx";
import { NoSuggestions } from "./no-suggestions.tsx";
import { SuggestionRow } from "./suggestion-row.tsx";

export function SuggestionsPage() {
  const { website } = useWebsiteContext();
  const isDecided = useSearch({ from: "/signed-in/s/$websiteId/shell/suggestions" }).tab === "decided";
  const waiting = useOpenSuggestions();
  const to = "/s/$websiteId/suggestions";
  const params = { websiteId: website.id };
  return (
    <RequirePermission permission="suggestion.decide">
      <Page title="Suggestions" description="Changes that connected apps suggest. Nothing changes until someone accepts them.">
        <LinkTabs label="Suggestions">
          <LinkTab to={to} params={params} search={{}} count={waiting || undefined}>
            Open
          </LinkTab>
          <LinkTab to={to} params={params} search={{ tab: "decided" }}>
            Decided
          </LinkTab>
        </LinkTabs>
        <SuggestionList key={String(isDecided)} isDecided={isDecided} />
      </Page>
    </RequirePermission>
  );
}

function SuggestionList({ isDecided }: { isDecided: boolean }) {
  const context = useWebsiteContext();
  const [viewed, setViewed] = useState<Suggestion | null>(null);
  const decide = useDecide();
  const list = useOpPages("list_suggestions", { websiteId: context.website.id, decided: isDecided, limit: 25 });
  // The list of those that were decided has the open ones in it, too.
  const shown = list.items?.filter(({ status }) => !isDecided || status !== "open") ?? [];
  const nameOf = useActorNames(shown.flatMap(({ by, decided }) => (decided ? [by, decided.by] : [by])));
  if (list.isPending) return <Loading />;
  if (list.isLoadingError) return <ErrorState error={list.error} onRetry={() => void list.refetch()} />;
  return (
    <>
      {shown.length > 0 ? (
        <ul aria-label="Suggestions" className="divide-y divide-line overflow-hidden rounded-card border border-line bg-surface">
          {shown.map((suggestion) => (
            <SuggestionRow
              key={suggestion.id}
              suggestion={suggestion}
              rights={suggestionRights(context, suggestion)}
              nameOf={nameOf}
              decide={decide}
              onView={() => setViewed(suggestion)}
            />
          ))}
        </ul>
      ) : list.hasNextPage ? null : isDecided ? (
        <EmptyState icon={Lightbulb} title="No decided suggestions">
          Suggestions that were accepted, rejected or withdrawn appear here.{" "}
          <Link to="/s/$websiteId/suggestions" params={{ websiteId: context.website.id }} search={{}} className="underline">
            View open suggestions
          </Link>
        </EmptyState>
      ) : (
        <NoSuggestions />
      )}
      <LoadMore query={list} />
      {viewed && (
        <SuggestionDialog suggestion={viewed} rights={suggestionRights(context, viewed)} decide={decide} onClose={() => setViewed(null)} />
      )}
    </>
  );
}
