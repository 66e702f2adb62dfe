import { ChartLine } from "lucide-react";
import { useWebsiteContext } from "../../shell/website-context.ts";
import { Card } from "../../ui/card.tsx";
import { CopyField } from "../../ui/copy-field.tsx";
import { PERIODS, type Period } from "./period.ts";

/** Nothing was counted: how counting begins. */
export function TrackerHelp({ period }: { period: Period }) {
  const { website } = useWebsiteContext();
  const label = PERIODS.find((each) => each.period === period)!.label;
  return (
    <Card>
      <div className="mx-auto flex max-w-2xl flex-col gap-4 py-6">
        <div className="flex flex-col items-center gap-2 text-center">
          <span className="grid size-11 place-items-center rounded-full bg-hover text-muted">
            <ChartLine aria-hidden className="size-5" />
          </span>
          <h2 className="font-medium">No views in the last {label}</h2>
          <p className="text-sm text-muted">
            To count views, add this to the page that shows a post. Use the post’s slug instead of{" "}
            <code className="font-mono">my-post</code>. No cookies and no API key.
          </p>
        </div>
        <CopyField multiline label="tracker" value={snippet(window.location.origin, website.id)} />
        <p className="text-[0.8125rem] text-muted">
          A reader counts once per post in 30 minutes. Bots and readers who ask not to be tracked do not count. Views appear here within
          seconds. Only pages under the public address in the website’s settings are counted.
        </p>
      </div>
    </Card>
  );
}

const snippet = (origin: string, websiteId: string): string => `<script
  async
  src="${origin}/v1/view.js"
  data-website="${websiteId}"
  data-post="my-post"
></script>`;
