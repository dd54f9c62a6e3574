/**
 * The media types that may be attached. Types that browsers execute (HTML, SVG, scripts) are not among them, and the
 * beginning of a file must match its announced type.
 */
import { isUtf8 } from 'node:buffer';
import type { AttachmentBlock } from '../messages/content.js';

/** Maximum size of an attachment in bytes. */
export const maximumSize = 10 * 1024 * 1024;

interface MediaType {
  kind: AttachmentBlock['type'];
  /** Whether the content can be of this type. */
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

/** The type of block for an attachment of this type; undefined if the type is not allowed. */
export function kindOf(mediaType: string): AttachmentBlock['type'] | undefined {
  return Object.hasOwn(mediaTypes, mediaType) ? mediaTypes[mediaType]?.kind : undefined;
}

/** Whether the content can be of the type. */
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

/** Whether the content is UTF-8 without U+0000, which texts never and most binary files do contain. */
function isText(content: Buffer): boolean {
  return !content.includes(0) && isUtf8(content);
}
