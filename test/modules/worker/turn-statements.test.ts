/**
 * How many SQL statements a whole turn costs: a message, the stream of its answer, and both stored. They are counted at the
 * driver of the service's own pools, while no interval of the worker falls into the turn.
 */
import { expect, it, vi } from 'vitest';
import { StatementLog } from '../../graphql/limits/statement-log.js';
import { gate, text, wait } from '../../support/model/model-script.js';
import { type Person, startTestService, type TestService } from '../../support/service.js';

const never = 86_400_000;
const lease = { leaseMs: never, heartbeatMs: never, pollMs: never, maxAttempts: 3, deadlineMs: never };
const patience = { timeout: 30_000 };

/** A turn whose viewer comes while the model is asked. */
async function takeTurn({ model }: TestService, ada: Person): Promise<void> {
  const speech = gate();
  model.enqueue([wait(speech.passed), text('one'), text(' two'), text(' three')]);
  const asked = model.requests.length;
  const sent = await ada.rest.createThread({ text: 'Count' });
  await expect.poll(() => model.requests.length).toBe(asked + 1);
  const events = await ada.rest.stream(sent);
  speech.open();
  for await (const { event } of events) expect(['token', 'done']).toContain(event);
}

/** What each statement begins with. */
const names: [RegExp, string][] = [
  [/^WITH moment AS .*INSERT INTO thread/, 'message'],
  [/^WITH RECURSIVE waiting_owner/, 'claim'],
  [/^\s*SELECT sequence, role.* instructions/, 'conversation'],
  [/^SELECT t\.id AS "threadId", r\.status/, 'row for the viewer'],
  [/^SELECT epoch, seq, kind, body/, 'text of other nodes'],
  [/^WITH ending AS /, 'outcome'],
  [/^WITH gone AS /, 'text for other nodes'],
];

function nameOf(statement: string): string {
  return names.find(([pattern]) => pattern.test(statement))?.[1] ?? statement;
}

it('a turn is two statements, and no text is read from or written for other nodes that are not there', async () => {
  const log = new StatementLog();
  const service = await startTestService({ settings: { lease } });
  try {
    const ada = await service.person();
    // With the first responses the node learns that it is alone. What it wrote for others by then may still be on its way.
    await vi.waitFor(async () => {
      const statements = await log.during(() => takeTurn(service, ada));
      expect(statements.map(nameOf)).toEqual(['message', 'outcome']);
    }, patience);
  } finally {
    log.end();
    await service.stop();
  }
});
