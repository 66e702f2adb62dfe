import type { Metadata } from "next";

export const metadata: Metadata = { title: "Preview", robots: { index: false } };

export default function ExpiredPreview() {
  return (
    <p className="preview" role="status">
      This preview link has expired. Create a new one in the editor.
    </p>
  );
}
