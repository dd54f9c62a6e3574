/** Many responses that begin together leave the connections of the process to requests. */
import pg from 'pg';
import { expect, it, vi } from 'vitest';
import { readConfig } from '../../../src/config.js';
import type { Sent } from '../../support/clients/rest-client.js';
import { waitingStatements } from '../../support/database/waiting-statements.js';
import { patientStatements, startTestService } from '../../support/service.js';

const { databaseConnections: poolSize } = readConfig({});

const patience = { timeout: 10_000 };
/** A conversation. What the service does in the background may wait for the table too. */
const reading = 'SELECT sequence, role';

it('the conversations of responses that begin together are read four at a time', async () => {
  const settings = { statementLimits: patientStatements };
  await using service = await startTestService({ settings, environment: { ROLE: 'api' } });
  const ada = await service.person();
  const sent: Sent[] = [];
  while (sent.length <= poolSize) sent.push(await ada.rest.createThread({ text: 'hi' }));
  const client = new pg.Client({ connectionString: service.storage.url });
  await client.connect();
  try {
    await client.query('BEGIN; LOCK TABLE message IN ACCESS EXCLUSIVE MODE');
    const { database } = service;
    const worker = await service.addNode({ ROLE: 'all' });
    await vi.waitFor(async () => expect(await waitingStatements(database, reading)).toBe(4), patience);
    const there = service.clientOf(worker, ada.token);
    const replies = await Promise.all(Array.from({ length: 20 }, () => there.get('/me')));
    expect(replies.every(({ status }) => status === 200)).toBe(true);
    expect(await waitingStatements(database, reading)).toBe(4);
  } finally {
    await client.end();
  }
  for (const one of sent) await ada.rest.answer(one);
});
