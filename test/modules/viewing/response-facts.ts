/** What REST and the database say of a response, for tests of how it came about. */
import type { RestClient, Sent } from '../../support/clients/rest-client.js';
import type { MessageBody, PageBody, ThreadBody } from '../../support/clients/rest-types.js';
import type { ReceivedEvent } from '../../support/clients/sse.js';
import type { TestService } from '../../support/service.js';

export async function stateOf(rest: RestClient, { threadId }: Sent): Promise<ThreadBody['state']> {
  return (await rest.get<ThreadBody>(`/threads/${threadId}`)).body.state;
}

/** Status, and the code of the problem, of a poll. */
export async function pollOf(rest: RestClient, { threadId, messageId }: Sent): Promise<[number, string | undefined]> {
  const { status, body } = await rest.get(`/threads/${threadId}/messages/${messageId}/response`);
  return [status, status === 200 ? undefined : body.code];
}

/** The texts of the thread's messages, each with its role. */
export async function textsOf(rest: RestClient, { threadId }: Pick<Sent, 'threadId'>): Promise<string[]> {
  const { body } = await rest.get<PageBody<MessageBody>>(`/threads/${threadId}/messages`);
  return body.data.map(({ role, contents }) => {
    return `${role}: ${contents.map((block) => (block.type === 'text' ? block.text : block.type)).join(' + ')}`;
  });
}

/** The row of the response. */
export async function rowOf(service: TestService, { messageId }: Sent) {
  const { status, attempt, epoch, errorCode, inputTokens, outputTokens } =
    await service.database.response.findUniqueOrThrow({ where: { messageId } });
  return { status, attempt, epoch: Number(epoch), errorCode, inputTokens, outputTokens };
}

/** Events as pairs of the name and what it says. */
export function shown(events: readonly ReceivedEvent[]): unknown[] {
  return events.map(({ event, data }) => (event === 'done' ? ['done'] : [event, data['token'] ?? data['message']]));
}
