import { TermsPage } from "./terms-page.tsx";

export const TagsPage = () => <TermsPage key="tag" kind="tag" />;
