import { portableMediaUrl } from "#domain/media-address";
import { IMAGE_EXTENSION, imageId, type ImageName } from "./images.ts";
import { pick, seeded } from "./random.ts";
import { SHARED_SECTIONS } from "./shared-sections.ts";
import { type Topic, topics } from "./topics.ts";

/** Bodies a topic has: few enough that each is rendered once and used many times, enough that a list looks varied. */
export const VARIANTS = 24;

/** The body of a variant, with the images of whichever website it will be put into. */
export function bodyOf(topic: Topic, variant: number): string {
  const random = seeded(topics().indexOf(topic) * 1_000 + variant);
  const intro = topic.intros[random(topic.intros.length)]!;
  const sections = [...pick(topic.sections, 4 + random(4), random)];
  if (random(2) === 0) sections.push(SHARED_SECTIONS[random(SHARED_SECTIONS.length)]!);
  const closing = topic.closings[random(topic.closings.length)]!;
  const text = [intro, ...sections, closing].join("\n\n");
  return `${text.replaceAll(/\(image:([a-z]+)\)/g, (_, name: ImageName) => `(${portableMediaUrl(imageId(name), IMAGE_EXTENSION)})`)}\n`;
}
