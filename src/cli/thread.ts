import { Command } from '@commander-js/extra-typings';
import { Prisma } from '../../prisma/generated/client/client.js';
import { deleteSomeThreads } from '../modules/deletion/delete-thread.js';
import { ProvisionError } from '../modules/identity/provision.js';
import { readHistory } from '../modules/threads/history.js';
import { value } from './command-line.js';
import { requireYes, yes } from './confirm.js';
import { withDatabase } from './with-database.js';

const explain = new Command('explain')
  .description('Show the history of a thread: each change with its time, cause, node and attempt.')
  .argument('<id>', 'Id of the thread', value)
  .action(async (id) => {
    await withDatabase(async (database) => {
      const thread = await database.thread.findUnique({ where: { id: id }, include: { owner: true } });
      if (!thread) throw new ProvisionError(`The thread ${id} does not exist.`);
      const queued = thread.queuedAt ? `, queued since ${thread.queuedAt.toISOString()}` : '';
      console.log(`${thread.id} is ${thread.state}${queued}; epoch ${thread.epoch}; owner ${thread.owner.email}`);
      for (const event of await readHistory(database, thread.id)) {
        const attempt = event.attempt === null ? '' : `attempt ${event.attempt}`;
        const parts = [
          event.at.toISOString(),
          event.what,
          event.messageId,
          attempt,
          event.cause,
          event.workerId,
          `by ${event.node}`,
        ];
        console.log(parts.filter(Boolean).join('  '));
      }
      const live = await database.response.findFirst({ where: { threadId: thread.id, status: 'running' } });
      if (live)
        console.log(
          `running on ${live.workerId}; lease until ${live.leaseUntil?.toISOString()}, deadline ${live.deadlineAt?.toISOString()}`,
        );
    });
  });

const remove = new Command('delete')
  .description('Delete a thread with its messages, responses, feedback, attachments and history.')
  .argument('<id>', 'Id of the thread', value)
  .addOption(yes())
  .action(async (id, options) => {
    await withDatabase(async (database) => {
      const thread = await database.thread.findUnique({ where: { id }, include: { owner: true } });
      if (!thread) throw new ProvisionError(`The thread ${id} does not exist.`);
      requireYes(options.yes, `the thread ${id} of ${thread.owner.email}`);
      await deleteSomeThreads(database, Prisma.sql`SELECT t.id FROM thread t WHERE t.id = ${id} FOR UPDATE`);
      console.log(`Deleted ${id}.`);
    });
  });

export const threadCommand = new Command('thread')
  .description('Inspect and delete threads.')
  .addCommand(explain)
  .addCommand(remove);
