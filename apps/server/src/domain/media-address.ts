import type { MediaId, WebsiteId } from "#domain/ids";

/** Where the bytes of an image lie in the media store. The website leads, so that one website's files stay together. */
export const mediaKey = (websiteId: WebsiteId, id: MediaId, extension: string): string => `${websiteId}/${id}.${extension}`;

/** Where readers get the file of this key, from the root of this service. */
export const mediaUrl = (key: string): string => `/media/${key}`;

/** Stands for "this website" in text that travels between websites: samples and exports. */
const HERE = "/media/-/";

/** An image of whichever website the text will be put into. */
export const portableMediaUrl = (id: MediaId, extension: string): string => `${HERE}${id}.${extension}`;

/** The text with the addresses of this website's own images made independent of it. */
export const toPortable = (text: string, websiteId: WebsiteId): string => text.replaceAll(`/media/${websiteId}/`, HERE);

/** The text as it reads in this website. */
export const toLocal = (text: string, websiteId: WebsiteId): string => text.replaceAll(HERE, `/media/${websiteId}/`);

/** The same with the host: whole addresses, as social images and own fields hold them, lead to this service and not to the one that they were written at. */
export const toService = (text: string, from: string, to: string): string => text.replaceAll(from + HERE, () => to + HERE);
