/** Which content coding an answer gets, by `Accept-Encoding` (RFC 9110, 12.5.3): quality values, `*` and refusals are obeyed. */
import Negotiator from 'negotiator';

export type Encoding = 'br' | 'gzip';

/** What is smaller gains nothing. */
export const worthwhileBytes = 1024;

/** Ours, from the best on, where the caller likes several equally well. */
const order = ['br', 'gzip', 'identity'];

/** The types of the package do not know its second parameter. */
interface PreferringNegotiator {
  encodings(available: readonly string[], options: { preferred: readonly string[] }): string[];
}

/**
 * The coding of `available` that the caller likes best; null for none. What is too small to gain is sent as it is wherever
 * the caller takes that, and so is what has no coding that the caller takes: an answer that can be read is better than none.
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
