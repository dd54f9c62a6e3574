/** What tests of REST's HTTP share: a client that sends what it is told, and a thread with an answer for paths to name. */
import { serviceTest } from '../../support/fixtures/service.js';
import { answeredMessage } from '../messages/answered-message.js';
import { RawClient } from './raw-http.js';

export const it = serviceTest()
  .extend('client', { scope: 'file' }, ({ service }, { onCleanup }) => {
    const client = new RawClient(service.url);
    onCleanup(() => client.close());
    return client;
  })
  .extend('target', { scope: 'file' }, ({ ada }) => answeredMessage(ada));
