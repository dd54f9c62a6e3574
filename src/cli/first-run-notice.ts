/**
 * At the first start, creates the administrator and prints the sign-in link and the token, once. If that output was
 * lost, the next start prints how to create a new link. It does not print new secrets by itself, because the first ones
 * may be in use and logs keep what is printed.
 */
import { findWaitingAdministrator, provisionFirstAdministrator } from '../modules/identity/provision.js';
import { issueSignInLink, signInLinkHours } from '../modules/identity/sign-in-link.js';
import type { RunningService } from '../serve.js';

const firstTokenDays = 90;

/** `publicUrl` is the URL under which browsers reach the service. */
export async function printFirstRunNotice({ database, url }: RunningService, publicUrl: string): Promise<void> {
  const expiresAt = new Date(Date.now() + firstTokenDays * 86_400_000);
  const first = await provisionFirstAdministrator(database, expiresAt);
  if (!first) return remind(database);
  const { organization, user, issued } = first;
  const link = await issueSignInLink(database, { userId: user.id, publicUrl });
  console.log(`
  Welcome to Skein. This is shown once.

    organization   ${organization.slug}
    administrator  ${user.email}
    sign in        ${link.url}
                   (once, within ${signInLinkHours} hours)
    token          ${issued.secret}
                   (every scope, until ${expiresAt.toISOString().slice(0, 10)})

  Try it:

    export SKEIN_TOKEN=${issued.secret}
    curl -H "Authorization: Bearer $SKEIN_TOKEN" ${url}/api/v1/me
`);
}

/** How people call the program that lies in this folder: a package that npm installed has no scripts of its own there. */
export function commandIn(folder: string): string {
  return /[\\/]node_modules[\\/]/.test(folder) ? 'npx skein' : 'npm run --silent skein --';
}

async function remind(database: RunningService['database']): Promise<void> {
  const waiting = await findWaitingAdministrator(database);
  if (!waiting) return;
  console.log(`
  Nobody is signed in and no token has been used. To create a new sign-in link for the administrator, run:

    ${commandIn(import.meta.dirname)} user sign-in-link --email ${waiting.email}
`);
}
