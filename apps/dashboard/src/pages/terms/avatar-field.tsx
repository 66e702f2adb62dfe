import { useRef, useState } from "react";
import { useOp } from "../../api/hooks.ts";
import { uploadMedia } from "../../api/upload.ts";
import { smallImage } from "../../lib/small-image.ts";
import { useWebsiteContext } from "../../shell/website-context.ts";
import { Avatar } from "../../ui/avatar.tsx";
import { Button } from "../../ui/button.tsx";
import { toast } from "../../ui/toast.tsx";

/** An author's portrait: uploaded here, kept among the website's images. */
export function AvatarField({ mediaId, name, onChange }: { mediaId: string | null; name: string; onChange: (id: string | null) => void }) {
  const { website } = useWebsiteContext();
  const input = useRef<HTMLInputElement>(null);
  const [busy, setBusy] = useState(false);
  const media = useOp("get_media", { websiteId: website.id, mediaId: mediaId ?? "" }, { enabled: mediaId !== null });

  const upload = async (file: File) => {
    setBusy(true);
    try {
      onChange((await uploadMedia(website.id, file, { alt: name })).id);
    } catch (error) {
      toast.error(error);
    } finally {
      setBusy(false);
    }
  };
  return (
    <div className="flex flex-col gap-1.5">
      <p className="text-sm font-medium">
        Portrait <span className="ml-1 font-normal text-muted">optional</span>
      </p>
      <div className="flex items-center gap-3">
        {mediaId && media.data ? (
          <img src={smallImage(media.data, 160)} alt="" className="size-12 rounded-full object-cover" />
        ) : (
          <Avatar name={name} className="size-12 text-sm" />
        )}
        <input
          ref={input}
          type="file"
          accept="image/*"
          className="sr-only"
          aria-label="Portrait file"
          tabIndex={-1}
          onChange={(event) => {
            const file = event.target.files?.[0];
            if (file) void upload(file);
            event.target.value = "";
          }}
        />
        <Button size="sm" busy={busy} onClick={() => input.current?.click()}>
          {mediaId ? "Replace" : "Upload"}
        </Button>
        {mediaId && (
          <Button size="sm" variant="ghost" onClick={() => onChange(null)}>
            Remove
          </Button>
        )}
      </div>
    </div>
  );
}
