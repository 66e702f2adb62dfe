import { Link } from "@tanstack/react-router";
import { Feather, KeyRound, Lock } from "lucide-react";
import { useState } from "react";
import { useAct } from "../../api/hooks.ts";
import { justCreatedKey } from "../../lib/just-created-key.ts";
import { isProblem, messageOf } from "../../lib/problem.ts";
import { useNewPost } from "../../shell/new-post.ts";
import { useWebsiteContext } from "../../shell/website-context.ts";
import { Button, buttonClass } from "../../ui/button.tsx";
import { Card } from "../../ui/card.tsx";
import { CopyField } from "../../ui/copy-field.tsx";
import { EmptyState } from "../../ui/empty-state.tsx";
import { Notice } from "../../ui/notice.tsx";
import { Page } from "../../ui/page.tsx";
import { FirstRequest } from "./first-request.tsx";
import { SnippetTabs } from "./snippet-tabs.tsx";

/** From a key to a website that reads, while one looks on. */
export function ConnectPage() {
  const { website, may } = useWebsiteContext();
  const [fresh, setFresh] = useState(() => justCreatedKey.of(website.id));
  const [isWriting, setWriting] = useState(false);
  const newPost = useNewPost();
  const write = async () => {
    setWriting(true);
    await newPost();
    setWriting(false);
  };
  if (!may("key.manage")) {
    return (
      <Page title="Connect your website" narrow>
        <EmptyState icon={Lock} title="Only owners and admins can connect a website">
          A website reads published posts with an API key. Ask an owner or admin of the workspace for one.
        </EmptyState>
      </Page>
    );
  }
  return (
    <Page title="Connect your website" description={`Show your posts on ${website.name} in three steps.`} narrow>
      <Card title="1. Save the key" description="It can only read published posts.">
        {fresh ? (
          <div className="flex flex-col gap-3">
            <CopyField label="the key" value={fresh.key} />
            <Notice tone="warn">
              It is shown only once. Copy it to where your website keeps its secrets. If you lose it, create a new one.
            </Notice>
          </div>
        ) : (
          <NewKey
            websiteId={website.id}
            onMade={(key) => {
              justCreatedKey.keep(website.id, key);
              setFresh(key);
            }}
          />
        )}
      </Card>
      <Card
        title="2. Read your posts"
        description={fresh ? "Ready to paste, with your address and key filled in." : "Replace YOUR_KEY with your key."}
      >
        <SnippetTabs apiKey={fresh?.key ?? "YOUR_KEY"} />
      </Card>
      <FirstRequest websiteId={website.id} keyId={fresh?.id ?? null} />
      <Card title="3. Write your first post" description="Your website shows it once you publish it.">
        <div className="flex flex-wrap gap-2">
          <Button variant="primary" busy={isWriting} onClick={() => void write()}>
            {!isWriting && <Feather aria-hidden />}
            Write your first post
          </Button>
          <Link to="/s/$websiteId" params={{ websiteId: website.id }} className={buttonClass({ variant: "ghost" })}>
            Go to Home
          </Link>
        </div>
      </Card>
    </Page>
  );
}

function NewKey({ websiteId, onMade }: { websiteId: string; onMade: (key: { key: string; id: string }) => void }) {
  const create = useAct("create_key", { stale: ["list_keys"], onSuccess: ({ key, record }) => onMade({ key, id: record.id }) });
  return (
    <div className="flex flex-col gap-3">
      {create.error && <Notice tone={isProblem(create.error, "PLAN_LIMIT") ? "warn" : "danger"}>{messageOf(create.error)}</Notice>}
      <p className="text-sm">A key is shown only once. Use the one you saved, or create a new one.</p>
      <div className="flex flex-wrap gap-2">
        <Button busy={create.isPending} onClick={() => create.mutate({ websiteId, name: "My website" })}>
          {!create.isPending && <KeyRound aria-hidden />}
          Create a new key
        </Button>
        <Link to="/s/$websiteId/settings/keys" params={{ websiteId }} className={buttonClass({ variant: "ghost" })}>
          View all keys
        </Link>
      </div>
    </div>
  );
}
