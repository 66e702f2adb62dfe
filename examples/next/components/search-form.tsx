export const SearchForm = ({ words = "" }: { readonly words?: string }) => (
  <form className="search" role="search" action="/search">
    <input type="search" name="q" defaultValue={words} aria-label="Search posts" placeholder="Search posts" maxLength={200} required />
    <button type="submit">Search</button>
  </form>
);
