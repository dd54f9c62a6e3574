/** The beginning of a thread's first message, which stands for its name until it has one. */
import { Prisma } from '../../../prisma/generated/client/client.js';

const longest = 80;

/** Of a message with files alone, the name of the first of `attachmentIds`; null if there is neither. */
export function openingSql(text: string, attachmentIds: readonly string[] = []): Prisma.Sql {
  const opening = openingOf(text);
  if (opening !== null) return Prisma.sql`${opening}`;
  const [first = null] = attachmentIds;
  return Prisma.sql`(SELECT left(a.name, ${longest}) FROM attachment a WHERE a.id = ${first})`;
}

/** The first line that is not empty, without runs of spaces, cut after a whole word where words are short; null if there is none. */
export function openingOf(text: string): string | null {
  const line = (text.trimStart().split(/[\n\r]/, 1)[0] ?? '').replaceAll(/\s+/g, ' ').trim();
  if (line === '') return null;
  const characters = Array.from(line);
  if (characters.length <= longest) return line;
  const short = characters.slice(0, longest - 1).join('');
  const end = short.lastIndexOf(' ');
  // A line without spaces, as in Japanese, is cut anywhere.
  return `${end > short.length / 2 ? short.slice(0, end) : short}…`;
}
