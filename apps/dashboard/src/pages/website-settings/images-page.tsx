import { Images } from "lucide-react";
import { OwnStore } from "./own-store.tsx";

export function ImagesPage() {
  return (
    <OwnStore
      title="Image storage"
      description="Where the images of this website are kept."
      icon={Images}
      now="Stet’s own storage"
      nowDetail="Your images are stored on this server’s disk."
      coming={[
        "An S3-compatible bucket or a Cloudinary account of yours holds the images of this website.",
        "Images you have are copied over; addresses in your posts keep working.",
      ]}
      feature="ownImageStore"
    />
  );
}
