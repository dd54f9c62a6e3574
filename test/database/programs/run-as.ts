/** An account by its numbers, in the environment of a program. */
const variable = 'RUN_AS';

export function runAsVariable({ uid, gid }: { uid: number; gid: number }): Record<string, string> {
  return { [variable]: `${uid}:${gid}` };
}

/**
 * Gives up the rights of root for those of the account that was named, if any. A program does so when everything is loaded, because
 * the account may not be able to read the checkout.
 */
export function becomeNamedAccount(): void {
  const [uid, gid] = process.env[variable]?.split(':').map(Number) ?? [];
  if (uid === undefined || gid === undefined) return;
  process.chdir('/');
  process.setgroups?.([]);
  process.setgid?.(gid);
  process.setuid?.(uid);
}
