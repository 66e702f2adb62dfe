import { Link } from "@tanstack/react-router";
import { Feather, KeyRound, Lock } from "lucide-react";
import { useState } from "react";
import { useAct } from "../../api/hooks.ts";
import { isProblem, messageOf } from "../../api/problem.ts";
import { useNewPost } from "../../shell/new-post.ts";
import { usePlace } from "../../shell/place.tsx";
import { Button, buttonClass } from "../../ui/button.tsx";
import { Card } from "../../ui/card.tsx";
import { CopyField } from "../../ui/copy-field.tsx";
import { EmptyState } from "../../ui/empty-state.tsx";
import { Notice } from "../../ui/notice.tsx";
import { Page } from "../../ui/page.tsx";
import { FirstRequest } from "./first-request.tsx";
import { freshKey } from "./fresh-key.ts";
import { SnippetTabs } from "./snippet-tabs.tsx";

/** From a key to a website that reads, while one looks on. */
export function ConnectPage() {
  const { website, may } = usePlace();
  const [fresh, setFresh] = useState(() => freshKey.of(website.id));
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
        <EmptyState icon={Lock} title="An owner or admin connects the website">
          Keys let a website read what is published. Your role does not make them: ask an owner or admin of the workspace.
        </EmptyState>
      </Page>
    );
  }
  return (
    <Page title="Connect your website" description={`Three steps from here to ${website.name} showing its posts.`} narrow>
      <Card title="1. Keep the key" description="It lets your website read what is published, and nothing else.">
        {fresh ? (
          <div className="flex flex-col gap-3">
            <CopyField label="the key" value={fresh.key} />
            <Notice tone="warn">
              It is shown only this once. Copy it now to where your website keeps its secrets. If it is lost, make a new one.
            </Notice>
          </div>
        ) : (
          <NewKey
            websiteId={website.id}
            onMade={(key) => {
              freshKey.keep(website.id, key);
              setFresh(key);
            }}
          />
        )}
      </Card>
      <Card
        title="2. Read your posts"
        description={fresh ? "Ready to paste: address and key are filled in." : "Put your key in place of YOUR_KEY."}
      >
        <SnippetTabs apiKey={fresh?.key ?? "YOUR_KEY"} />
      </Card>
      <FirstRequest websiteId={website.id} keyId={fresh?.id ?? null} />
      <Card title="3. Write the first post" description="Your website shows it when you publish it, not before.">
        <div className="flex flex-wrap gap-2">
          <Button variant="primary" busy={isWriting} onClick={() => void write()}>
            {!isWriting && <Feather aria-hidden />}
            Write the first post
          </Button>
          <Link to="/s/$websiteId" params={{ websiteId: website.id }} className={buttonClass({ variant: "ghost" })}>
            Go to the home page
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
      <p className="text-sm">A key is shown once, when it is made. Use the one that you kept, or make a new one.</p>
      <div className="flex flex-wrap gap-2">
        <Button busy={create.isPending} onClick={() => create.mutate({ websiteId, name: "My website" })}>
          {!create.isPending && <KeyRound aria-hidden />}
          Make a new key
        </Button>
        <Link to="/s/$websiteId/settings/keys" params={{ websiteId }} className={buttonClass({ variant: "ghost" })}>
          See all keys
        </Link>
      </div>
    </div>
  );
}
