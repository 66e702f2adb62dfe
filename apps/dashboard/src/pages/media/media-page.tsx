import { Page } from "../../ui/page.tsx";

export function MediaPage() {
  return <Page title="Media">{null}</Page>;
}
