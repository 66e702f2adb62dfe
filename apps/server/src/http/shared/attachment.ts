/** `Content-Disposition` of a download. Headers are ASCII: the real name comes encoded (RFC 6266), beside one that any client reads. */
export function attachment(filename: string): string {
  const plain = filename
    .normalize("NFD")
    .replaceAll(/\p{M}/gu, "")
    .replaceAll(/[^ -~]|["\\]/gu, "_");
  return `attachment; filename="${plain}"; filename*=UTF-8''${encoded(filename)}`;
}

/** `encodeURIComponent` leaves some characters alone that mean something in a header. */
const encoded = (text: string): string =>
  encodeURIComponent(text).replaceAll(/['()*]/g, (character) => `%${character.charCodeAt(0).toString(16).toUpperCase()}`);
