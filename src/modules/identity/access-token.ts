/**
 * Personal access tokens: `skn_pat_`, 30 random characters of base 62 (178 bits), then the CRC-32 of these as six
 * characters. Secret scanners find them by the prefix, typing errors are rejected without the database, and the entropy
 * makes a slow hash unnecessary: the database stores the SHA-256 only.
 */
import { createHash, randomInt } from 'node:crypto';
import { crc32 } from 'node:zlib';

const prefix = 'skn_pat_';
const alphabet = '0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz';
const form = /^skn_pat_[0-9A-Za-z]{36}$/;

/** Generates a secret, which is shown once and never stored. */
export function generateSecret(): string {
  let body = prefix;
  for (let i = 0; i < 30; i += 1) body += alphabet.charAt(randomInt(62));
  return body + checksum(body);
}

/** Whether the value has the prefix, length, alphabet and checksum of a token. */
export function hasTokenForm(value: string): boolean {
  return form.test(value) && checksum(value.slice(0, -6)) === value.slice(-6);
}

/** The digest that is stored and looked up. A lookup by digest leaks nothing by its timing. */
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
