import { Link, useParams } from "@tanstack/react-router";
import { useOp } from "../../api/hooks.ts";
import type { Output } from "../../api/wire.ts";
import type { OpenAutosave } from "../../autosave/open-autosave.ts";
import { isTemporary } from "../../autosave/refusals.ts";
import { ApiProblem } from "../../lib/problem.ts";
import { useWebsiteContext } from "../../shell/website-context.ts";
import { buttonClass } from "../../ui/button.tsx";
import { ErrorState } from "../../ui/error-state.tsx";
import { useDocumentTitle } from "../../ui/page.tsx";
import { Loading } from "../../ui/spinner.tsx";
import { EditorProvider } from "./editor-context.tsx";
import { EditorScreen } from "./editor-screen.tsx";
import { KeptText } from "./kept-text.tsx";
import { readOnlyReason } from "./read-only-reason.ts";
import { useAutosave, useSnapshot } from "./use-autosave.ts";

/** The page on which a post is written. */
export function EditorPage() {
  const { postId } = useParams({ from: "/signed-in/s/$websiteId/posts/$postId" });
  const { website } = useWebsiteContext();
  const { opening, again } = useAutosave(postId);
  const settings = useOp("get_website", { websiteId: website.id });
  if (opening.state === "open" && settings.data) return <Opened key={postId} autosave={opening.autosave} settings={settings.data} />;
  const error = opening.state === "failed" ? opening.error : settings.error;
  if (!error) return <Loading label="Opening the post …" />;
  return (
    <main className="mx-auto flex max-w-xl flex-col items-start gap-4 px-4 py-16">
      <ErrorState
        error={error}
        onRetry={() => {
          again();
          void settings.refetch();
        }}
      />
      {error instanceof ApiProblem && !isTemporary(error) && <KeptText key={postId} postId={postId} />}
      <Link to="/s/$websiteId/posts" params={{ websiteId: website.id }} className={buttonClass()}>
        Back to posts
      </Link>
    </main>
  );
}

function Opened({ autosave, settings }: { autosave: OpenAutosave; settings: Output<"get_website"> }) {
  const context = useWebsiteContext();
  const snapshot = useSnapshot(autosave);
  useDocumentTitle(snapshot.content.title || "Untitled");
  return (
    <EditorProvider value={{ ...snapshot, autosave, settings, readOnly: readOnlyReason(context, snapshot.post) }}>
      <EditorScreen />
    </EditorProvider>
  );
}
