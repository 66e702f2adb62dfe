"use client";

import ErrorPage from "./error";
import "./globals.css";

/** For when the layout itself could not be made. */
export default function GlobalError(props: { readonly reset: () => void }) {
  return (
    <html lang="en">
      <body>
        <main id="main">
          <ErrorPage {...props} />
        </main>
      </body>
    </html>
  );
}
