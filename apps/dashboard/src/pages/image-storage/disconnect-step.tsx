import { useAct, useOp } from "../../api/hooks.ts";
import { formatBytes, plural } from "../../lib/format.ts";
import { LeaveStep } from "../../shell/leave-step.tsx";
import { useWebsiteContext } from "../../shell/website-context.ts";
import { Loading } from "../../ui/spinner.tsx";
import { toast } from "../../ui/toast.tsx";
import { ImageProgress } from "./image-progress.tsx";
import type { ImageStorage, OwnStorage } from "./words.ts";

const stale = ["get_image_store", "get_usage"] as const;

export function DisconnectStep({ storage, store }: { storage: ImageStorage; store: OwnStorage }) {
  const { website } = useWebsiteContext();
  const here = { websiteId: website.id };
  const disconnect = useAct("disconnect_image_store", { stale });
  const stop = useAct("stop_image_move", { stale, onError: toast.error, onSuccess: () => toast.ok("Disconnecting stopped.") });
  const isLeaving = store.state === "leaving";
  const { own, move } = storage;
  return (
    <LeaveStep
      description={
        isLeaving
          ? "Images are copied back to Stet. New images stay there already."
          : "Copies the images back to Stet. Nothing is deleted in your storage."
      }
      leaving={
        isLeaving
          ? {
              isStopping: stop.isPending,
              stop: () => stop.mutate(here),
              retry: move?.state === "failed" ? () => disconnect.mutate(here) : null,
            }
          : null
      }
      confirm={{
        title: "Disconnect this image storage?",
        words: (
          <>
            <p>
              {own.files === 0
                ? "No images are in it."
                : `${plural(own.files, "image")} (${formatBytes(own.bytes)}) will be copied back and checked first. Your website shows them the whole time.`}
            </p>
            <p className="mt-2">
              The files stay in your storage. If the images are more than your plan allows, new uploads are refused until there is room.
            </p>
          </>
        ),
        onConfirm: () => disconnect.mutateAsync(here),
      }}
      without={
        isLeaving && (move?.error || store.error)
          ? {
              title: `Disconnect without ${plural(own.files, "image")}?`,
              reason: "Storage gone permanently? You can disconnect without the images that are only there.",
              othersReason: "Storage gone permanently? The owner of the workspace can disconnect without copying.",
              words: <MissingImages />,
              onConfirm: (confirmName) => disconnect.mutateAsync({ ...here, withoutCopying: true, confirmName }),
            }
          : null
      }
    >
      {isLeaving && move?.direction === "back" && <ImageProgress move={move} />}
    </LeaveStep>
  );
}

function MissingImages() {
  const { website } = useWebsiteContext();
  const list = useOp("list_own_images", { websiteId: website.id });
  if (!list.data) return <Loading />;
  const { images, total } = list.data;
  return (
    <>
      <p>These images will be missing on your website, until you connect the same storage again:</p>
      <ul tabIndex={0} aria-label="Missing images" className="mt-2 max-h-48 overflow-y-auto rounded-control border border-line px-3 py-2">
        {images.map(({ id, filename, bytes }) => (
          <li key={id} className="flex justify-between gap-3">
            <span className="min-w-0 truncate">{filename ?? id}</span>
            <span className="shrink-0 tabular-nums">{formatBytes(bytes)}</span>
          </li>
        ))}
      </ul>
      {total > images.length && <p className="mt-2">And {plural(total - images.length, "more image")}.</p>}
    </>
  );
}
