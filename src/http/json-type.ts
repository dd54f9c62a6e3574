import { MIMEType } from 'node:util';

/** Whether a `Content-Type` is JSON in UTF-8, which many write `utf8`. Other parameters such as `profile` are allowed. */
export function isJsonInUtf8(contentType: string): boolean {
  try {
    const { essence, params } = new MIMEType(contentType);
    return essence === 'application/json' && /^utf-?8$/i.test(params.get('charset') ?? 'utf-8');
  } catch {
    // An invalid media type is not JSON.
    return false;
  }
}

/** Whether a body has a content coding, which no endpoint accepts (RFC 9110, 8.4; `identity` is none). */
export function isEncoded(contentEncoding: string | undefined): boolean {
  return contentEncoding !== undefined && !/^[\s,]*(identity[\s,]*)*$/i.test(contentEncoding);
}
