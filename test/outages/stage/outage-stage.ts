/**
 * Nodes of the service, of whatever kind, with one person's clients and a model that waits for the test: the stage of an
 * outage. Responses stand in the middle of their text, each with a viewer on every node.
 */

import { RestClient, type Sent } from '../../support/clients/rest-client.js';
import { joinTokens, type ReceivedEvent } from '../../support/clients/sse.js';
import { gate, type ModelScript, text, wait } from '../../support/model/model-script.js';
import type { ModelServer } from '../../support/model/model-server.js';

export interface OutageStageOptions {
  /** Where each node serves. */
  urls: readonly string[];
  token: string;
  /** Straight to PostgreSQL, for what the test itself looks up. */
  databaseUrl: string;
  model: ModelServer;
}

/** What a viewer was shown, once its stream has ended. */
export interface Viewer {
  seen: Promise<{ text: string; end: string | undefined; endedMs: number }>;
}

/** A response with the text "Hel" so far. */
export interface Begun {
  sent: Sent;
  viewers: Viewer[];
}

export class OutageStage {
  /** Opened, they let the model say the rest to the conversations of their name. */
  readonly gates = { meanwhile: gate(), afterwards: gate() };
  readonly clients: readonly RestClient[];

  constructor(readonly options: OutageStageOptions) {
    const { urls, token, model } = options;
    this.clients = urls.map((origin) => new RestClient({ origin, prefix: '/api/v1', token }));
    model.respond(({ body }) => this.#script(String(body.messages.at(-1)?.content)));
  }

  /** The client of a node; the nodes are counted round and round. */
  client(index: number): RestClient {
    const client = this.clients[index % this.clients.length];
    if (!client) throw new Error('There is no node');
    return client;
  }

  /** Starts a response and waits until each of its viewers has seen its first text. */
  async begin(name: keyof OutageStage['gates'], index: number): Promise<Begun> {
    const sent = await this.client(index).createThread({ text: name });
    return { sent, viewers: await Promise.all(this.clients.map((client) => openViewer(client, sent))) };
  }

  #script(name: string): ModelScript {
    const held = name === 'meanwhile' || name === 'afterwards' ? this.gates[name] : undefined;
    return held ? [text('Hel'), wait(held.passed), text('lo')] : [text('Hello')];
  }
}

/** Opens the stream of a response and waits for its first event; reads the rest in the background. */
async function openViewer(client: RestClient, sent: Sent): Promise<Viewer> {
  const stream = await client.stream(sent);
  const first = await stream.next();
  if (first.done) throw new Error('The stream ended before it began');
  const events: ReceivedEvent[] = [first.value];
  const read = async () => {
    for await (const event of stream) events.push(event);
    return { text: joinTokens(events), end: events.at(-1)?.event, endedMs: performance.now() };
  };
  const seen = read();
  // Looked at later: a test that fails before must fail with its own reason.
  seen.catch(() => undefined);
  return { seen };
}
