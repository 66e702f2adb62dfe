import { Download } from "lucide-react";
import { useWebsiteContext } from "../../shell/website-context.ts";
import { buttonClass } from "../../ui/button.tsx";
import { Card } from "../../ui/card.tsx";
import { Page } from "../../ui/page.tsx";
import { ImportCard } from "./import-card.tsx";

export function TransferPage() {
  const { website, may } = useWebsiteContext();
  return (
    <Page title="Import and export" description="All content of this website in one file, to keep or to move elsewhere.">
      <div className="flex max-w-3xl flex-col gap-6">
        <Card
          title="Export"
          description="Drafts, published posts and their history, categories, tags, authors, fields and images. Not included: keys, webhooks and members."
          action={
            // A download of the browser: it goes to the disk as it comes, however large it is.
            <a href={`/api/websites/${website.id}/export`} download className={buttonClass({ variant: "primary" })}>
              <Download aria-hidden /> Download export
            </a>
          }
        >
          <p className="text-sm text-muted">
            The file is newline-delimited JSON: one record per line, images included. A checksum at the end shows that it is complete. If
            the download fails, the file is incomplete: download it again.
          </p>
        </Card>
        {may("website.import") && <ImportCard />}
      </div>
    </Page>
  );
}
