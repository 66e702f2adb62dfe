import { Images } from "lucide-react";
import { NotAvailableYet } from "./not-available-yet.tsx";

export function ImagesPage() {
  return (
    <NotAvailableYet
      title="Image storage"
      description="Where the images of this website are kept."
      icon={Images}
      now="Stet’s own storage"
      nowDetail="Your images are stored on this server’s disk."
      coming={[
        "Keep the images of this website in your own S3-compatible bucket or Cloudinary account.",
        "Existing images are copied, and links in your posts keep working.",
      ]}
      feature="ownImageStore"
    />
  );
}
