import { Database } from "lucide-react";
import { OwnStore } from "./own-store.tsx";

export function DatabasePage() {
  return (
    <OwnStore
      title="Content database"
      description="Where the posts, categories, tags and authors of this website are kept."
      icon={Database}
      now="Stet’s own database"
      nowDetail="Your content is in Stet’s own database. Take a copy of all of it at any time under Import and export."
      coming={[
        "A database of yours that speaks the MongoDB protocol holds the content of this website; accounts, keys and numbers stay with Stet.",
        "The connection is tested before anything is moved, and what you have is copied, not lost.",
      ]}
      feature="ownDatabase"
    />
  );
}
