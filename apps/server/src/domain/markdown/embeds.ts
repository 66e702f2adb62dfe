import { type Embed, embedAt } from "@stet/markdown";

/** The embed that a frame in raw HTML shows, or null when the frame is none of ours. */
export const embedOfFrame = (src: string): Embed | null => embedAt(src.startsWith("//") ? `https:${src}` : src);

/**
 * The frame that shows an embed, without cookies or tracking where the service offers that. X and gist need a script of theirs
 * in the page to be more than a link, and that script sees every reader: so they have none, and stay links.
 */
export function frameOf(embed: Embed): { readonly src: string; readonly title: string } | null {
  switch (embed.kind) {
    case "youtube":
      return { src: `https://www.youtube-nocookie.com/embed/${embed.id}${embed.start ? `?start=${embed.start}` : ""}`, title: "YouTube" };
    case "vimeo":
      return { src: `https://player.vimeo.com/video/${embed.id}?dnt=1${embed.hash ? `&h=${embed.hash}` : ""}`, title: "Vimeo" };
    case "codepen":
      return { src: `https://codepen.io/${embed.user}/embed/${embed.id}?default-tab=result`, title: "CodePen" };
    case "x":
    case "gist":
      return null;
  }
}

/** Where the embedded thing lives. */
export function addressOf(embed: Embed): string {
  switch (embed.kind) {
    case "youtube":
      return `https://www.youtube.com/watch?v=${embed.id}`;
    case "vimeo":
      return `https://vimeo.com/${embed.id}`;
    case "codepen":
      return `https://codepen.io/${embed.user}/pen/${embed.id}`;
    case "x":
      return `https://x.com/${embed.user}/status/${embed.id}`;
    case "gist":
      return `https://gist.github.com/${embed.user}/${embed.id}`;
  }
}
