/** Runs any operation over either transport of GraphQL, and gives what came: one result, or those of a stream. */
import type { GraphQLResult } from '../../support/clients/graphql-client.js';
import { messagesIn } from '../../support/clients/sse.js';

export interface Question {
  url: string;
  token: string | undefined;
  query: string;
  variables: Record<string, unknown>;
  /** True after the last result that is waited for; the stream is then closed. */
  isLast: (result: GraphQLResult) => boolean;
}

export async function ask({ url, token, query, variables, isLast }: Question): Promise<GraphQLResult[]> {
  const isStream = query.startsWith('subscription') || url.endsWith('/stream');
  const response = await fetch(url, {
    method: 'POST',
    headers: {
      'content-type': 'application/json',
      accept: isStream ? 'text/event-stream' : 'application/json',
      ...(token === undefined ? {} : { authorization: `Bearer ${token}` }),
    },
    body: JSON.stringify({ query, variables }),
  });
  if (!response.body) throw new Error(`${response.status} without a body: ${query}`);
  const isEvents = response.headers.get('content-type')?.startsWith('text/event-stream');
  return isEvents ? readUntil(response.body, isLast) : [(await response.json()) as GraphQLResult];
}

async function readUntil(body: ReadableStream<Uint8Array>, isLast: Question['isLast']): Promise<GraphQLResult[]> {
  const results: GraphQLResult[] = [];
  for await (const { event, data } of messagesIn(body)) {
    if (event === 'complete') break;
    const result = JSON.parse(data) as GraphQLResult;
    results.push(result);
    if (isLast(result)) break;
  }
  return results;
}
