import { Download } from "lucide-react";
import { usePlace } from "../../shell/place.tsx";
import { buttonClass } from "../../ui/button.tsx";
import { Card } from "../../ui/card.tsx";
import { Page } from "../../ui/page.tsx";
import { ImportCard } from "./import-card.tsx";

export function TransferPage() {
  const { website, may } = usePlace();
  return (
    <Page title="Import and export" description="Everything this website holds, in one file that you can read, keep and bring elsewhere.">
      <div className="flex max-w-3xl flex-col gap-6">
        <Card
          title="Export"
          description="Drafts, published posts and their history, categories, tags, authors, fields and images. Keys, webhooks and members are not part of it."
          action={
            // A download of the browser: it goes to the disk as it comes, however large it is.
            <a href={`/api/websites/${website.id}/export`} download className={buttonClass({ variant: "primary" })}>
              <Download aria-hidden /> Download export
            </a>
          }
        >
          <p className="text-sm text-muted">
            The file is newline-delimited JSON: one thing a line, images included. A checksum at its end proves that nothing was cut off.
          </p>
        </Card>
        {may("website.import") && <ImportCard />}
      </div>
    </Page>
  );
}
