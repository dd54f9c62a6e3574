/**
 * One node of the service, as it was built, with settings that have no variable in the environment. Plain JavaScript: what
 * is measured must be what was built, and nothing that a compiler on the fly makes of it.
 */
import { randomUUID } from 'node:crypto';
import { readConfig } from '../../../dist/src/config.js';
import { scopes } from '../../../dist/src/contract.js';
import { createLogger } from '../../../dist/src/log.js';
import { createOrganization, createUser } from '../../../dist/src/modules/identity/provision.js';
import { issueSignInLink } from '../../../dist/src/modules/identity/sign-in-link.js';
import { issueToken } from '../../../dist/src/modules/identity/tokens/manage-tokens.js';
import { startService } from '../../../dist/src/serve.js';

const config = readConfig();
const settings = JSON.parse(process.env.BENCH_SETTINGS ?? '{}');
const service = await startService({ config, logger: createLogger(config.logLevel), settings });

/** A user of a new organization, with a token. */
async function makePerson(slug) {
  const organization = await createOrganization(service.database, { slug, name: slug });
  return makeUser(organization, `ada@${slug}.test`);
}

/** Another one of an organization that is there. */
async function makeColleague(slug) {
  const organization = await service.database.organization.findUniqueOrThrow({ where: { slug } });
  return makeUser(organization, `${randomUUID()}@${slug}.test`);
}

async function makeUser({ id: organizationId, slug }, email) {
  const { database } = service;
  const user = await createUser(database, { organizationSlug: slug, email, name: 'Ada', role: 'member' });
  const { secret } = await issueToken(database, { userId: user.id, name: 'bench', scopes, expiresAt: null });
  return { userId: user.id, organizationId, token: secret };
}

/** What signs the user in, once. */
async function makeLinkToken(userId) {
  const { url } = await issueSignInLink(service.database, { userId, publicUrl: service.url });
  return new URL(url).searchParams.get('token');
}

const answers = { person: makePerson, colleague: makeColleague, linkToken: makeLinkToken };

process.on('message', ({ id, question, argument }) => {
  answers[question]?.(argument).then((answer) => process.send({ id, answer }));
});
process.once('disconnect', () => service.stop(0).then(() => process.exit()));
process.send({ url: service.url });
