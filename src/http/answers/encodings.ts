/**
 * Chooses the content coding of a response by `Accept-Encoding` (RFC 9110, 12.5.3), including quality values and `*`.
 */
import Negotiator from 'negotiator';

export type Encoding = 'br' | 'gzip';

/** Smaller bodies gain nothing from compression. */
export const worthwhileBytes = 1024;

/** Our preference among codings that the caller accepts equally. */
const order = ['br', 'gzip', 'identity'];

/** The types of the package lack its second parameter. */
interface PreferringNegotiator {
  encodings(available: readonly string[], options: { preferred: readonly string[] }): string[];
}

/**
 * The coding of `available` that the caller prefers; null for none. Small bodies are not compressed if the caller
 * accepts that. If the caller accepts no coding at all, the body is sent uncompressed: a readable response is better
 * than none.
 */
export function chooseEncoding(
  acceptEncoding: string,
  { available, bytes }: { available: readonly Encoding[]; bytes: number },
): Encoding | null {
  const headers = { 'accept-encoding': acceptEncoding };
  const negotiator = new Negotiator({ headers }) as unknown as PreferringNegotiator;
  const accepted = negotiator.encodings([...available, 'identity'], { preferred: order });
  if (bytes < worthwhileBytes && accepted.includes('identity')) return null;
  return available.find((encoding) => encoding === accepted[0]) ?? null;
}
