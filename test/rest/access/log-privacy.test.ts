/** The log must never hold what people say, what they call it, or what they prove themselves with. */
import { describe, expect, vi } from 'vitest';
import { text } from '../../support/model/model-script.js';
import { exchange } from '../http/raw-http.js';
import { errorsLogged, it, secrets, secretThread, tellSecrets } from './log-secrets.js';

describe('the log', () => {
  it('has a line for each request, by its path, without the query', async ({ expectSilent, service, ada }) => {
    await ada.rest.get(`/threads?q=${secrets.search}&after=x`);
    // It is written when the answer has left.
    await vi.waitFor(
      () => {
        const request = service.log.map((line) => JSON.parse(line)).findLast((line) => line.msg === 'request');
        expect(request).toMatchObject({ method: 'GET', path: '/api/v1/threads', status: 400 });
      },
      { timeout: 10_000 },
    );
    expectSilent();
  });

  it('holds nothing of a conversation that goes well', async ({ expectSilent, service, ada }) => {
    service.model.enqueue([text(secrets.answer)]);
    const sent = await tellSecrets(ada);
    const [answer] = await ada.rest.answer(sent);
    const path = `/threads/${sent.threadId}/messages`;
    const rating = { positive: true, feedback_text: secrets.feedback };
    expect((await ada.rest.post(`${path}/${answer?.id}/feedback`, rating)).status).toBe(204);
    expect((await ada.rest.get(`/threads?q=${secrets.message}`)).status).toBe(200);
    await ada.rest.get(path);
    await ada.rest.answer(await ada.rest.send(sent.threadId, secrets.message));
    expect(errorsLogged(service)).toBe(0);
    expectSilent();
  });

  it('holds nothing of what was refused', async ({ expectSilent, ada }) => {
    const sent = await ada.rest.createThread(secretThread);
    const path = `/threads/${sent.threadId}/messages`;
    const message = JSON.stringify({ text: secrets.message });
    const replies = [
      await ada.rest.post('/threads', { text: [secrets.message], name: { [secrets.name]: 1 } }),
      await ada.rest.post('/threads', message.slice(0, -1)),
      await ada.rest.post('/threads', message, { headers: { 'content-type': 'text/plain' } }),
      await ada.rest.post('/threads', message.padEnd(1_100_000)),
      await ada.rest.post(`${path}/${sent.messageId}/feedback`, { positive: secrets.feedback }),
      await ada.rest.get(`${path}?after=${secrets.search}`),
      await ada.rest.post(`/threads/thr_x/messages`, message),
      await ada.rest.get(`/me?access_token=${ada.token}`, { headers: { authorization: ada.token } }),
      await ada.rest.get('/me', { headers: { authorization: `Basic ${ada.token}` } }),
      await ada.rest.get(`/threads/${ada.token}`),
    ];
    expect(replies.map((reply) => reply.status)).toEqual([400, 400, 415, 413, 400, 400, 404, 401, 401, 404]);
    await ada.rest.streamToEnd(sent);
    expectSilent();
  });

  it('holds nothing of a caller who leaves, or sends junk', async ({ expectSilent, service, ada }) => {
    const head = `POST /api/v1/threads HTTP/1.1\r\nHost: x\r\nAuthorization: Bearer ${ada.token}\r\n`;
    const type = 'Content-Type: application/json\r\n';
    await exchange(service.url, `${head}${type}Transfer-Encoding: chunked\r\n\r\n${secrets.message}\r\n`);
    await exchange(service.url, `${head}${secrets.message}\r\n\r\n`);
    await exchange(service.url, `GET http://[${secrets.message}/ HTTP/1.1\r\nHost: x\r\nConnection: close\r\n\r\n`);
    expectSilent();
  });
});
