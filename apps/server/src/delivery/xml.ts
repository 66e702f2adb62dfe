/** Characters that no XML document can hold, not even escaped; a lone surrogate has no form in UTF-8 either. */
const FORBIDDEN = /[^\t\n\r\u0020-\uD7FF\uE000-\uFFFD\u{10000}-\u{10FFFF}]/gu;
const ESCAPES: Readonly<Record<string, string>> = { "&": "&amp;", "<": "&lt;", ">": "&gt;", '"': "&quot;", "\r": "&#13;" };

/** Any text as it can stand between tags or quotes of XML 1.0. */
const xmlText = (text: string): string => text.replaceAll(FORBIDDEN, "").replaceAll(/[&<>"\r]/g, (character) => ESCAPES[character]!);

export const element = (name: string, text: string): string => `<${name}>${xmlText(text)}</${name}>`;

export const XML_START = '<?xml version="1.0" encoding="UTF-8"?>\n';
