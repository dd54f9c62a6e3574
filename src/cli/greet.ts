/**
 * At the first start, on an empty database: makes the administrator and shows the link to sign in and the token, once. Where
 * that was lost, as when the connection broke behind the commit, the next start says how to get in; it makes no new secrets
 * by itself, because those that were shown may still be in somebody's hands, and a log may keep what is printed.
 */
import { findWaitingAdministrator, provisionFirstAdministrator } from '../modules/identity/provision.js';
import { issueSignInLink, signInLinkHours } from '../modules/identity/sign-in-link.js';
import type { RunningService } from '../serve.js';

const firstTokenDays = 90;

/** `publicUrl` is where the administrator's browser finds the service. */
export async function greet({ database, url }: RunningService, publicUrl: string): Promise<void> {
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

async function remind(database: RunningService['database']): Promise<void> {
  const waiting = await findWaitingAdministrator(database);
  if (!waiting) return;
  console.log(`
  Nobody is signed in and no token has been used. To create a new sign-in link for the administrator, run:

    npm run --silent skein -- user sign-in-link --email ${waiting.email}
`);
}
