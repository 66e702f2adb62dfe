import { Page } from "../../ui/page.tsx";

export function CalendarPage() {
  return <Page title="Calendar">{null}</Page>;
}
