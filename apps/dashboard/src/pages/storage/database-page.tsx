import { Database } from "lucide-react";
import { NotAvailableYet } from "./not-available-yet.tsx";

export function DatabasePage() {
  return (
    <NotAvailableYet
      title="Content database"
      description="Where the posts, categories, tags and authors of this website are kept."
      icon={Database}
      now="Stet’s own database"
      nowDetail="This website’s content is stored here. Download a copy at any time under Import and export."
      coming={[
        "Keep the content of this website in your own MongoDB-compatible database. Accounts, keys and analytics stay in Stet.",
        "The connection is tested first, and your content is copied before anything switches.",
      ]}
      feature="ownDatabase"
    />
  );
}
