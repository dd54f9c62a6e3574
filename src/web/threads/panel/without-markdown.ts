/**
 * Takes the marks of Markdown off a piece of a message, so that what a search shows of it reads as text. The piece may begin and end
 * anywhere, so this goes by the marks themselves and not by blocks.
 */

const marks: readonly [RegExp, string][] = [
  // The row below the head of a table, and a rule between paragraphs.
  [/\|(?:\s*:?-+:?\s*\|)+/g, ' '],
  [/(?<!\S)-{3,}(?!\S)/g, ''],
  // Of a link, what is read.
  [/!?\[([^[\]]*)\]\([^()\s]*\)/g, '$1'],
  // A formula touches its dollar signs, and no number follows; prices do not and have one.
  [/\$\$?(?=\S)([^$]*[^$\s])\$\$?(?!\d)/g, '$1'],
  [/<\/?(?:sub|sup|kbd)>/gi, ''],
  [/[*_`#>|~]+/g, ''],
];

export function withoutMarkdown(piece: string): string {
  return marks.reduce((text, [mark, read]) => text.replace(mark, read), piece);
}
