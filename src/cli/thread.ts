import { Command } from '@commander-js/extra-typings';
import { ProvisionError } from '../modules/identity/provision.js';
import { readHistory } from '../modules/threads/history.js';
import { value } from './command-line.js';
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

export const threadCommand = new Command('thread').description('Inspect threads.').addCommand(explain);
