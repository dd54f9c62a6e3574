/**
 * The attachments of another tenant, sent and unsent, put into every place of the schema that takes an id, and asked for at
 * their own addresses: the answer is that for an attachment that there is not, to the letter.
 */
import { describe, expect } from 'vitest';
import { createId } from '../../../src/ids.js';
import { serviceTest } from '../../support/fixtures/service.js';
import type { Person, TestService } from '../../support/service.js';
import { createThreadWith, fetchAttachment, pixel, put, uploadFile } from '../attachments/attached-file.js';
import { ask } from './ask-anything.js';
import { idPlaces } from './foreign-ids.js';

const it = serviceTest({ settings: { concurrency: 0 } })
  .extend('mallory', { scope: 'file' }, ({ service }) => service.person({ org: 'other' }))
  .extend('victim', { scope: 'file' }, ({ service }) => service.person({ org: 'victims' }))

  /** Not sent, sent for all of an organization to see, and sent in private. */
  .extend('foreign', { scope: 'file', auto: true }, async ({ service, victim }) => {
    const [unsent = '', shown = '', secret = ''] = await Promise.all(
      [1, 2, 3].map(() => uploadFile(service, victim, pixel)),
    );
    await createThreadWith(service, victim, { text: 'All', attachmentIds: [shown] });
    await createThreadWith(service, victim, { text: 'I', attachmentIds: [secret], isPrivate: true });
    return [unsent, shown, secret];
  });

/** The first result of an operation, but for the id that was asked for. */
async function answerTo(service: TestService, { token }: Person, query: string, id: string): Promise<string> {
  const [result] = await ask({ url: `${service.url}/graphql`, token, query, variables: {}, isLast: () => true });
  return JSON.stringify(result).replaceAll(id, 'ID');
}

const places = idPlaces();

describe('an attachment of another tenant', () => {
  it.for(places)('is unknown: $name', async ({ operation }, { service, mallory, foreign }) => {
    const none = createId('att');
    const answerToNone = await answerTo(service, mallory, operation(none), none);
    expect(answerToNone).not.toMatch(/GRAPHQL_(PARSE|VALIDATION)_FAILED|BAD_USER_INPUT/);
    for (const id of foreign)
      expect(await answerTo(service, mallory, operation(id), id), operation(id)).toBe(answerToNone);
  });

  it.for(['GET', 'PUT'] as const)('is unknown at its address: %s', async (method, { service, mallory, foreign }) => {
    const answer = async (id: string) => {
      const asked =
        method === 'GET' ? fetchAttachment(service, mallory, { id }) : put(service, mallory, { id, ...pixel });
      const response = await asked;
      const problem = JSON.parse(await response.text()) as { request_id: string };
      return { status: response.status, problem: { ...problem, request_id: '' } };
    };
    const answerToNone = await answer(createId('att'));
    expect(answerToNone.status).toBe(404);
    for (const id of foreign) expect(await answer(id)).toEqual(answerToNone);
  });

  it('can be sent by its owner after all of that', async ({ service, victim, foreign }) => {
    const [unsent = ''] = foreign;
    const sent = await createThreadWith(service, victim, { text: 'Mine', attachmentIds: [unsent] });
    expect(sent).toMatchObject({ __typename: 'PostedMessage' });
  });
});

it('the places that take attachments are among those', () => {
  const names = places.map(({ name }) => name);
  expect(names).toEqual(
    expect.arrayContaining(['createThread › input.attachmentIds', 'sendMessage › input.attachmentIds']),
  );
});
