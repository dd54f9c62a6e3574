/**
 * Ids: a prefix for the type, then a UUIDv7 as 26 characters of Crockford's base 32 in lower case. They are unique,
 * opaque to clients, and ascend in the order of creation within a process.
 */
import { V7Generator } from 'uuidv7';

const prefixes = ['thr', 'msg', 'att', 'tok', 'usr', 'ses', 'acc', 'aud', 'bud'] as const;
export type IdPrefix = (typeof prefixes)[number];

const alphabet = '0123456789abcdefghjkmnpqrstvwxyz';
const generator = new V7Generator();

export function createId(prefix: IdPrefix): string {
  return withPrefix(prefix, generator.generate().toHex());
}

/** The id of a row whose key is a UUID that the database made. */
export function idOfUuid(prefix: IdPrefix, uuid: string): string {
  return withPrefix(prefix, uuid.replaceAll('-', ''));
}

/** The UUID of a well-formed id. */
export function uuidOf(id: string): string {
  let value = 0n;
  for (const digit of id.slice(-26)) value = (value << 5n) + BigInt(alphabet.indexOf(digit));
  return value
    .toString(16)
    .padStart(32, '0')
    .replace(/^(.{8})(.{4})(.{4})(.{4})/, '$1-$2-$3-$4-');
}

function withPrefix(prefix: IdPrefix, hex: string): string {
  let value = BigInt(`0x${hex}`);
  let digits = '';
  for (let i = 0; i < 26; i += 1) {
    digits = alphabet.charAt(Number(value & 31n)) + digits;
    value >>= 5n;
  }
  return `${prefix}_${digits}`;
}

/** Whether the text is a well-formed id with this prefix; other texts need no lookup. */
export function isId(prefix: IdPrefix, value: string): boolean {
  return value.length === prefix.length + 27 && value.startsWith(`${prefix}_`) && idBody.test(value.slice(-26));
}

/** The prefix of a well-formed id; null for other texts. */
export function prefixOf(value: string): IdPrefix | null {
  return prefixes.find((prefix) => isId(prefix, value)) ?? null;
}

const idBody = /^[0-7][0-9a-hjkmnp-tv-z]{25}$/;
