import type { PostSummary } from "@stet/client";

interface Props {
  readonly image: NonNullable<PostSummary["coverImage"]>;
  /** How wide it is shown, for the browser to choose among the sizes that Stet offers. */
  readonly sizes: string;
  /** The image at the top of the page, which readers wait for. */
  readonly isFirst?: boolean;
  readonly alt?: string;
}

/**
 * Its place is kept by width and height, and filled with the image's main color while it loads. Where the style sheet crops it, what its
 * focal point says stays in sight.
 */
export function Picture({ image, sizes, isFirst = false, alt }: Props) {
  const { focalPoint } = image;
  return (
    <img
      src={image.url}
      srcSet={image.srcset ?? undefined}
      sizes={sizes}
      width={image.width}
      height={image.height}
      alt={alt ?? image.alt}
      loading={isFirst ? "eager" : "lazy"}
      fetchPriority={isFirst ? "high" : "auto"}
      decoding="async"
      style={{
        backgroundColor: image.dominantColor ?? undefined,
        ...(focalPoint && { objectPosition: `${focalPoint.x * 100}% ${focalPoint.y * 100}%` }),
      }}
    />
  );
}
