/** `audit` prints one line per event, the newest first. */
import { Command, InvalidArgumentError } from '@commander-js/extra-typings';
import type { AuditEvent } from '../../../prisma/generated/client/client.js';
import { readAuditLog } from '../../modules/identity/audit/audit-log.js';
import { findOrganization } from '../../modules/identity/provision.js';
import { value } from '../command-line.js';
import { withDatabase } from '../with-database.js';
import { emailsOf } from './emails.js';

export const auditCommand = new Command('audit')
  .description(
    'Print who signed in, changed passwords or tokens, invited, removed, exported and deleted, the newest first.',
  )
  .requiredOption('--org <slug>', 'Slug of the organization', value)
  .option('--limit <count>', 'How many lines, 1 to 10000', parseCount, 100)
  .action(async ({ org, limit }) => {
    await withDatabase(async (database) => {
      const { id: organizationId } = await findOrganization(database, org);
      const events = await readAuditLog(database, { organizationId, after: null, limit });
      const emails = await emailsOf(database, events.flatMap(peopleIn));
      for (const event of events) console.log(describe(event, emails));
    });
  });

function peopleIn({ actorId, subjectId }: AuditEvent): string[] {
  return actorId === null ? [subjectId] : [subjectId, actorId];
}

function describe(event: AuditEvent, emails: ReadonlyMap<string, string>): string {
  const { at, act, actorKind, actorId, subjectId, targetId } = event;
  const name = (id: string) => emails.get(id) ?? id;
  const actor = actorId === null ? actorKind.replace('_', ' ') : name(actorId);
  return [at.toISOString(), act, `by ${actor}`, `for ${name(subjectId)}`, targetId].filter(Boolean).join('  ');
}

function parseCount(text: string): number {
  const count = /^\d{1,5}$/.test(text) ? Number(text) : 0;
  if (count < 1 || count > 10_000) throw new InvalidArgumentError('It is not a number from 1 to 10000.');
  return count;
}
