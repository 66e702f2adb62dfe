import { Parser } from "htmlparser2";

export interface LinksAndImages {
  readonly links: readonly { readonly href: string; readonly text: string }[];
  readonly images: readonly { readonly src: string; readonly alt: string }[];
}

/** The links and images of a rendered body, in its order. */
export function linksAndImagesOf(html: string): LinksAndImages {
  const links: { href: string; text: string }[] = [];
  const images: { src: string; alt: string }[] = [];
  let open: { href: string; text: string } | null = null;
  const reader = new Parser({
    onopentag(name, attributes) {
      if (name === "img") images.push({ src: attributes.src ?? "", alt: attributes.alt ?? "" });
      if (name === "a" && attributes.href !== undefined) {
        open = { href: attributes.href, text: "" };
        links.push(open);
      }
    },
    ontext(text) {
      if (open) open.text += text;
    },
    onclosetag(name) {
      if (name === "a") open = null;
    },
  });
  reader.end(html);
  return { links, images };
}
