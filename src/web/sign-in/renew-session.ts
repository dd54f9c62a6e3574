/**
 * Renews the session, which lasts thirty days from its last renewal. A failure is ignored, since the next renewal is soon
 * enough.
 */
export async function renewSession(): Promise<void> {
  await fetch('/auth/get-session').catch(() => null);
}
