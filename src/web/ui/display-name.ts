/** Names as they are shown: without the characters that turn the text around them or cannot be seen. */
const hidden = /[\p{Cc}\u200b\u200e\u200f\u202a-\u202e\u2060-\u2069\ufeff]/gu;

/** A text of somebody in one line among others. */
export function cleanText(text: string): string {
  return text.replace(hidden, '');
}

export function displayName(name: string | null | undefined, otherwise: string): string {
  return cleanText(name ?? '').trim() || otherwise;
}

export function threadTitle(thread: { name: string | null } | undefined): string {
  return displayName(thread?.name, 'Untitled thread');
}
