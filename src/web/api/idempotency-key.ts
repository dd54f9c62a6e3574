/** Creates an idempotency key. `crypto.randomUUID` is not available without TLS, so the key is made from random bytes. */
export function newIdempotencyKey(): string {
  return Array.from(crypto.getRandomValues(new Uint8Array(16)), (byte) => byte.toString(16).padStart(2, '0')).join('');
}
