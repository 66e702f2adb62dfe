import { Page } from "../../ui/page.tsx";

export function AnalyticsPage() {
  return <Page title="Analytics">{null}</Page>;
}
