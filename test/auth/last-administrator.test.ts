/** Two administrators who act on each other in the same moment: an organization that has an administrator keeps one. */
import { describe, expect, vi } from 'vitest';
import { holding, waitingStatements } from '../support/database/waiting-statements.js';
import { serviceTest } from '../support/fixtures/service.js';
import { patientStatements, type TestService } from '../support/service.js';
import { signedIn } from './people.js';

const it = serviceTest({ settings: { statementLimits: patientStatements } });

const remove = 'mutation ($id: ID!) { outcome: removeMember(id: $id) { __typename } }';
const demote = `mutation ($id: ID!) { outcome: changeMemberRole(input: {id: $id, role: MEMBER}) { __typename } }`;

/** Runs both at once: neither has changed anything when the other has been let in. */
async function atOnce(service: TestService, org: string, query: typeof remove | typeof demote): Promise<string[]> {
  const { database } = service;
  const people = [
    await service.person({ org, role: 'admin' }),
    await service.person({ org, role: 'admin' }),
    await service.person({ org }),
  ];
  const [ada, bob] = people;
  if (!ada || !bob) throw new Error('there is nobody');
  const browsers = [await signedIn(service, ada), await signedIn(service, bob)];
  const both = await database.$transaction(async (transaction) => {
    await transaction.$executeRaw`SELECT FROM user_account WHERE id IN (${ada.id}, ${bob.id}) FOR UPDATE`;
    const outcomes = Promise.allSettled(
      browsers.map((browser, index) => browser.graphql(query, { id: [bob.id, ada.id][index] ?? '' })),
    );
    await vi.waitFor(async () => expect(await waitingStatements(database)).toBe(2), { timeout: 30_000, interval: 20 });
    return { outcomes };
  }, holding);
  const settled = await both.outcomes;
  return settled.map((each) => (each.status === 'fulfilled' ? each.value.outcome.__typename : `${each.reason}`)).sort();
}

describe('two administrators at once', () => {
  it.for([
    ['removeMember', 'removers', remove],
    ['changeMemberRole', 'demoters', demote],
  ] as const)(
    '%s: one is told that they no longer may, and stays the other’s to decide about',
    async ([_name, org, query], { service }) => {
      expect(await atOnce(service, org, query)).toEqual(['Member', 'NotAdministratorError']);
      const where = { organization: { slug: org }, role: 'admin', removedAt: null } as const;
      expect(await service.database.user.count({ where })).toBe(1);
    },
  );
});
