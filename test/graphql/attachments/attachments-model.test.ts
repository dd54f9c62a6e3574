/** From the upload to the model: the bytes that a user sent are those that the model gets, in this turn and in later ones. */
import { expect } from 'vitest';
import { createId } from '../../../src/ids.js';
import { readForModel } from '../../../src/modules/attachments/read-for-model.js';
import { it } from '../../support/fixtures/service.js';
import { createThreadWith, pixel, textFile, uploadFile } from './attached-file.js';

const imagePart = {
  type: 'image_url',
  image_url: { url: `data:image/png;base64,${Buffer.from(pixel.content).toString('base64')}` },
};

it('the model gets the attachments of a message, also when the conversation goes on', async ({ service, ada }) => {
  const attachmentIds = [await uploadFile(service, ada, pixel), await uploadFile(service, ada, textFile('Green'))];
  const { threadId = '', messageId = '' } = await createThreadWith(service, ada, { text: 'Look', attachmentIds });
  await ada.rest.answer({ threadId, messageId });
  const parts = [
    { type: 'text', text: 'Look' },
    imagePart,
    { type: 'text', text: 'Attached document "tea.txt":\n\nGreen' },
  ];
  const messages = () => service.model.lastRequest.body.messages.filter(({ role }) => role !== 'system');
  expect(messages()).toEqual([{ role: 'user', content: parts }]);
  await ada.rest.answer(await ada.rest.send(threadId, 'And now?'));
  expect(messages()).toEqual([
    { role: 'user', content: parts },
    { role: 'assistant', content: 'Hello from the model.' },
    { role: 'user', content: 'And now?' },
  ]);
});

it('readForModel gives the newest that fit into 10 MiB', async ({ service, database, ada }) => {
  const large = (size: number) => textFile('a'.repeat(size));
  const [first, second, third] = [
    await uploadFile(service, ada, large(1024)),
    await uploadFile(service, ada, large(6 * 1024 * 1024)),
    await uploadFile(service, ada, large(6 * 1024 * 1024)),
  ];
  expect([...(await readForModel(database, [second, third, first])).keys()].sort()).toEqual([first, third].sort());
  expect([...(await readForModel(database, [first, second, third])).keys()]).toEqual([third]);
  expect((await readForModel(database, [createId('att')])).size).toBe(0);
});
