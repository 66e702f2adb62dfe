import { Page } from "../../ui/page.tsx";

export function WorkspaceGeneralPage() {
  return <Page title="Workspace General">{null}</Page>;
}
