/** How much the attachments of a user and of an organization may take up, where the operator limits it. */
import { describe, expect } from 'vitest';
import { overlapped } from '../../support/database/waiting-statements.js';
import { newcomersTest } from '../../support/fixtures/service.js';
import { patientStatements } from '../../support/service.js';
import { addThread, colleagueOf, newcomer } from '../../support/threads.js';
import { announce, sendWith, textFile, uploadFile } from './attached-file.js';

const mebibyte = 2 ** 20;

const it = newcomersTest({
  environment: { ATTACHMENT_STORAGE_PER_USER: '2', ATTACHMENT_STORAGE_PER_ORGANIZATION: '3' },
  settings: { concurrency: 0, statementLimits: patientStatements },
});

const fileOf = (size: number) => ({ name: 'a.txt', mediaType: 'text/plain', size });

describe('uploadAttachment with limited storage', () => {
  it('is refused beyond the storage of the user, although every attachment was sent', async ({ service, ada }) => {
    const attachmentIds = [await uploadFile(service, ada, textFile('x'.repeat(2 * mebibyte)))];
    await sendWith(service, ada, { threadId: await addThread(service, ada), text: 'Look', attachmentIds });
    expect(await announce(service, ada, fileOf(1))).toMatchObject({
      code: 'ATTACHMENT_QUOTA',
      message: expect.stringMatching(/^Your attachments take up all the room/),
    });
    expect(await announce(service, await newcomer(service), fileOf(1))).toHaveProperty('attachment');
  });

  it('is refused beyond the storage of the organization', async ({ service, ada, bob }) => {
    await announce(service, ada, fileOf(2 * mebibyte));
    expect(await announce(service, bob, fileOf(mebibyte + 1))).toMatchObject({
      code: 'ATTACHMENT_QUOTA',
      message: expect.stringMatching(/^The attachments of your organization/),
    });
    expect(await announce(service, bob, fileOf(mebibyte))).toHaveProperty('attachment');
  });

  it('accepts one of two concurrent uploads that fit alone but not together', async ({ service, database }) => {
    const ada = await newcomer(service);
    const bob = await colleagueOf(service, ada);
    const { organizationId } = await database.user.findUniqueOrThrow({ where: { id: ada.id } });
    const both = await overlapped(
      database,
      { lock: (other) => other.$queryRaw`SELECT 1 FROM organization WHERE id = ${organizationId} FOR UPDATE` },
      ...[ada, bob].map((person) => () => announce(service, person, fileOf(2 * mebibyte))),
    );
    const outcomes = both.map(({ __typename }) => __typename);
    expect(outcomes.sort()).toEqual(['AttachmentQuotaError', 'AttachmentUpload']);
  });
});
