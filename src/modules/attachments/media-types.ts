/**
 * What may be attached. Nothing that a browser would run (HTML, SVG, scripts) is in the list, and what a file says at its
 * beginning must agree with the type that was announced, so that no image is ever something else.
 */
import { isUtf8 } from 'node:buffer';
import type { AttachmentBlock } from '../messages/content.js';

/** Bytes that one attachment may have. */
export const maximumSize = 10 * 1024 * 1024;

interface MediaType {
  kind: AttachmentBlock['type'];
  /** True where the content can be what its type says. */
  fits: (content: Buffer) => boolean;
}

const mediaTypes: Readonly<Record<string, MediaType>> = {
  'image/png': { kind: 'image', fits: beginsWith('89504e470d0a1a0a') },
  'image/jpeg': { kind: 'image', fits: beginsWith('ffd8ff') },
  'image/gif': { kind: 'image', fits: beginsWith('474946383761', '474946383961') },
  'image/webp': { kind: 'image', fits: isWebp },
  'application/pdf': { kind: 'document', fits: beginsWith('255044462d') },
  'text/plain': { kind: 'document', fits: isText },
  'text/markdown': { kind: 'document', fits: isText },
  'text/csv': { kind: 'document', fits: isText },
  'application/json': { kind: 'document', fits: isText },
};

export const mediaTypeNames: readonly string[] = Object.keys(mediaTypes);

/** The kind of block that an attachment of this type is; undefined for a type that may not be attached. */
export function kindOf(mediaType: string): AttachmentBlock['type'] | undefined {
  return Object.hasOwn(mediaTypes, mediaType) ? mediaTypes[mediaType]?.kind : undefined;
}

/** True where the content can be of the type. */
export function fitsType(mediaType: string, content: Buffer): boolean {
  return kindOf(mediaType) !== undefined && mediaTypes[mediaType]?.fits(content) === true;
}

function beginsWith(...beginnings: string[]): (content: Buffer) => boolean {
  const signatures = beginnings.map((hex) => Buffer.from(hex, 'hex'));
  return (content) => signatures.some((signature) => content.subarray(0, signature.length).equals(signature));
}

function isWebp(content: Buffer): boolean {
  return content.toString('latin1', 0, 4) === 'RIFF' && content.toString('latin1', 8, 12) === 'WEBP';
}

/** UTF-8 without U+0000, which no text has and most other files have. */
function isText(content: Buffer): boolean {
  return !content.includes(0) && isUtf8(content);
}
