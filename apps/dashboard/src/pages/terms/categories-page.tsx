import { TermsPage } from "./terms-page.tsx";

export const CategoriesPage = () => <TermsPage key="category" kind="category" />;
