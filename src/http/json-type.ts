import { MIMEType } from 'node:util';

/** Whether a `Content-Type` says JSON in UTF-8: any parameter may be there (`profile`), and no other charset than UTF-8. */
export function isJsonInUtf8(contentType: string): boolean {
  try {
    const { essence, params } = new MIMEType(contentType);
    return essence === 'application/json' && (params.get('charset') ?? 'utf-8').toLowerCase() === 'utf-8';
  } catch {
    // What cannot be parsed is no media type, and so not this one.
    return false;
  }
}

/** Whether a body comes in a content coding, which no path takes (RFC 9110, 8.4: `identity` is none). */
export function isEncoded(contentEncoding: string | undefined): boolean {
  return contentEncoding !== undefined && !/^[\s,]*(identity[\s,]*)*$/i.test(contentEncoding);
}
