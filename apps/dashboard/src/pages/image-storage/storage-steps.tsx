import { useState } from "react";
import { useAct } from "../../api/hooks.ts";
import { formatBytes, plural } from "../../lib/format.ts";
import { useWebsiteContext } from "../../shell/website-context.ts";
import { Button } from "../../ui/button.tsx";
import { Notice } from "../../ui/notice.tsx";
import { Step } from "../../ui/step.tsx";
import { toast } from "../../ui/toast.tsx";
import { ConnectForm } from "./connect-form.tsx";
import { DisconnectStep } from "./disconnect-step.tsx";
import { ImageProgress } from "./image-progress.tsx";
import { knownParts } from "./storage-address.ts";
import type { ImageStorage, OwnStorage } from "./words.ts";

/** Test, move, activate, disconnect: the way to a storage of one's own and back. */
export function StorageSteps({ storage }: { storage: ImageStorage }) {
  const { store } = storage;
  if (!store) {
    return (
      <ol className="flex flex-col">
        <Step
          number={1}
          title="Test"
          state="current"
          description="Connect a bucket on AWS S3, Cloudflare R2 or any S3-compatible service, or an account at Cloudinary."
        >
          <ConnectForm onDone={() => {}} />
        </Step>
        <Step
          number={2}
          title="Move"
          state="later"
          description="Your images are copied and checked one by one. Your website shows them the whole time."
        />
        <Step number={3} title="Activate" state="later" description="New images go to your storage." />
        <Step number={4} title="Disconnect" state="later" description="At any time. Your images are copied back first." />
      </ol>
    );
  }
  return (
    <ol className="flex flex-col">
      <ConnectedStep store={store} />
      <MoveStep storage={storage} store={store} />
      <ActivateStep storage={storage} store={store} />
      <DisconnectStep storage={storage} store={store} />
    </ol>
  );
}

function ConnectedStep({ store }: { store: OwnStorage }) {
  const [isChanging, setChanging] = useState(store.needsKey);
  return (
    <Step
      number={1}
      title="Test"
      state="done"
      description={`Connected to ${store.place} with the key ${store.shown.key ?? ""}.`}
      action={!isChanging && <Button onClick={() => setChanging(true)}>Change key …</Button>}
    >
      {store.needsKey && (
        <Notice tone="danger">The key cannot be read any more. Enter it again; until then these images are not shown.</Notice>
      )}
      {isChanging && (
        <ConnectForm
          known={knownParts(store)}
          usesPublicAddress={store.usesPublicBase}
          onDone={() => setChanging(false)}
          onCancel={() => setChanging(false)}
        />
      )}
    </Step>
  );
}

const stale = ["get_image_store", "get_usage"] as const;

function MoveStep({ storage, store }: { storage: ImageStorage; store: OwnStorage }) {
  const { website } = useWebsiteContext();
  const here = { websiteId: website.id };
  const start = useAct("start_image_move", { stale, onError: toast.error });
  const stop = useAct("stop_image_move", {
    stale,
    onError: toast.error,
    onSuccess: () => toast.ok("Moving stopped. Images stay where they are."),
  });
  const { managed, own } = storage;
  const isLeaving = store.state === "leaving";
  const move = storage.move?.direction === "out" ? storage.move : null;
  const isRunning = move?.state === "running";
  const isDone = managed.files === 0 && !isRunning;
  const description = isLeaving
    ? "Moves the images to your storage."
    : isDone
      ? own.files === 0
        ? "This website has no images yet."
        : own.files === 1
          ? "The image of this website is in your storage."
          : `All ${plural(own.files, "image")} are in your storage.`
      : `${plural(managed.files, "image")} (${formatBytes(managed.bytes)}) still with Stet. Your website shows all images the whole time.`;
  return (
    <Step
      number={2}
      title="Move"
      state={isLeaving ? "later" : isDone ? "done" : "current"}
      description={description}
      action={
        isLeaving ? undefined : isRunning ? (
          <Button busy={stop.isPending} onClick={() => stop.mutate(here)}>
            Stop
          </Button>
        ) : (
          !isDone && (
            <Button variant="primary" busy={start.isPending} onClick={() => start.mutate(here)}>
              {move?.state === "stopped" ? "Continue" : "Move images"}
            </Button>
          )
        )
      }
    >
      {move && (isRunning || move.error || move.state === "stopped") && !isLeaving && <ImageProgress move={move} />}
    </Step>
  );
}

function ActivateStep({ storage, store }: { storage: ImageStorage; store: OwnStorage }) {
  const { website } = useWebsiteContext();
  const activate = useAct("activate_image_store", {
    stale,
    onError: toast.error,
    onSuccess: () => toast.ok("New images go to your storage."),
  });
  const isReady = store.state === "connected" && storage.managed.files === 0;
  return (
    <Step
      number={3}
      title="Activate"
      state={store.state === "active" ? "done" : isReady ? "current" : "later"}
      description={
        store.state === "active"
          ? "New images go to your storage. They do not count against your plan."
          : "New images go to your storage from then on."
      }
      action={
        store.state === "connected" && (
          <Button
            variant={isReady ? "primary" : "outline"}
            busy={activate.isPending}
            onClick={() => activate.mutate({ websiteId: website.id })}
          >
            Activate
          </Button>
        )
      }
    />
  );
}
