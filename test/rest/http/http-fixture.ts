/** What tests of REST's HTTP share: a client that sends what it is told, and a thread with an answer for paths to name. */
import { serviceTest } from '../../support/fixtures/service.js';
import type { Target } from '../access/endpoint-cases.js';
import { RawClient } from './raw-http.js';

export const it = serviceTest()
  .extend('client', { scope: 'file' }, ({ service }, { onCleanup }) => {
    const client = new RawClient(service.url);
    onCleanup(() => client.close());
    return client;
  })
  .extend('target', { scope: 'file' }, async ({ ada }): Promise<Target> => {
    const { threadId, messageId: question } = await ada.rest.createThread({ text: 'Hi' });
    const [answer] = await ada.rest.answer({ threadId, messageId: question });
    return { threadId, question, answer: String(answer?.id) };
  });
