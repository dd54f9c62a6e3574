/**
 * The form of a personal access token: `skn_pat_`, 30 random characters of base 62 (178 bits), then six of the CRC-32 of
 * what stands before. Secret scanners find it by its prefix, typing errors are refused without asking the database, and
 * the entropy makes a slow hash pointless: the database holds the SHA-256 alone.
 */
import { createHash, randomInt } from 'node:crypto';
import { crc32 } from 'node:zlib';

const prefix = 'skn_pat_';
const alphabet = '0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz';
const form = /^skn_pat_[0-9A-Za-z]{36}$/;

/** A new secret. It is shown once and never stored. */
export function generateSecret(): string {
  let body = prefix;
  for (let i = 0; i < 30; i += 1) body += alphabet.charAt(randomInt(62));
  return body + checksum(body);
}

/** False for whatever cannot be a token: wrong prefix, length, alphabet or checksum. */
export function hasTokenForm(value: string): boolean {
  return form.test(value) && checksum(value.slice(0, -6)) === value.slice(-6);
}

/** What is stored and looked up. A lookup by digest leaves no timing to learn from. */
export function digestOf(secret: string): Uint8Array<ArrayBuffer> {
  return new Uint8Array(createHash('sha256').update(secret).digest());
}

function checksum(body: string): string {
  let value = crc32(body);
  let digits = '';
  for (let i = 0; i < 6; i += 1) {
    digits = alphabet.charAt(value % 62) + digits;
    value = Math.floor(value / 62);
  }
  return digits;
}
