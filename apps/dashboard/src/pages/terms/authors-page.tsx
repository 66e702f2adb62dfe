import { TermsPage } from "./terms-page.tsx";

export const AuthorsPage = () => <TermsPage key="author" kind="author" />;
