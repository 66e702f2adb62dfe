import { useWebsiteContext } from "../../shell/website-context.ts";
import { CopyField } from "../../ui/copy-field.tsx";
import { policyFor, type StorageParts } from "./storage-address.ts";

/** What the key must be allowed to do, and no more, in the words of its provider. */
export function KeyPermissions({ parts }: { parts: StorageParts }) {
  return (
    <details className="text-sm">
      <summary className="w-fit cursor-pointer rounded text-muted hover:text-text">Permissions the key needs</summary>
      <div className="mt-3 flex flex-col gap-2 text-muted">
        <Words parts={parts} />
      </div>
    </details>
  );
}

function Words({ parts: { provider, bucket } }: { parts: StorageParts }) {
  const { website } = useWebsiteContext();
  switch (provider) {
    case "s3":
      return (
        <>
          <p>Create a user for Stet with this policy only. The bucket can stay private and needs no CORS rule.</p>
          <CopyField label="policy" multiline value={policyFor(bucket.trim() || "BUCKET", website.id)} />
        </>
      );
    case "r2":
      return (
        <>
          <p>
            In Cloudflare, under R2, create an API token with the permission <strong>Object Read &amp; Write</strong>, for{" "}
            {bucket.trim() ? <strong>{bucket.trim()}</strong> : "this bucket"} only. It comes with an access key ID and a secret access key.
          </p>
          <p>The bucket can stay private and needs no CORS rule.</p>
        </>
      );
    case "cloudinary":
      return (
        <>
          <p>
            In Cloudinary, under Settings and API Keys, generate a key for Stet. It must be allowed to use the <strong>Upload API</strong>{" "}
            (to upload and delete) and the <strong>Admin API</strong> (to list). Images go to the folder{" "}
            <code className="break-all">{website.id}</code>.
          </p>
          <p>Default upload presets must not change images: Stet checks every copy. Free accounts take images up to 10 MB.</p>
        </>
      );
  }
}
