"use client";

/** A page that could not be made, such as while Stet cannot be reached and the page was never shown before. Details are in the server's log. */
export default function ErrorPage({ reset }: { readonly reset: () => void }) {
  return (
    <div className="intro">
      <title>Something went wrong</title>
      <h1>Something went wrong</h1>
      <p>This page cannot be shown right now.</p>
      <button type="button" onClick={reset}>
        Try again
      </button>
    </div>
  );
}
