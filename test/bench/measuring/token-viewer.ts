/** A viewer of a stream of the benchmarks' model, whose tokens are the times at which they were written. */
import { Agent, get, type IncomingMessage } from 'node:http';
import { clockMs } from './clock.js';

const agent = new Agent({ keepAlive: false, maxSockets: Number.POSITIVE_INFINITY });

export interface ViewedStream {
  url: string;
  token?: string;
  /** The text in the data of an event. */
  textOf: (data: string) => string;
}

/** A viewer whose stream has begun. */
export interface TokenViewer {
  /** How long each token was on its way. Resolves at the end of the stream. */
  latenciesMs: Promise<number[]>;
}

export async function openViewer({ url, token, textOf }: ViewedStream): Promise<TokenViewer> {
  const headers = token ? { authorization: `Bearer ${token}` } : {};
  const response = await new Promise<IncomingMessage>((resolve, reject) => {
    get(url, { agent, headers }, resolve).on('error', reject);
  });
  if (response.statusCode !== 200) throw new Error(`${url} → ${response.statusCode}`);
  return { latenciesMs: readLatencies(response, textOf) };
}

function readLatencies(response: IncomingMessage, textOf: (data: string) => string): Promise<number[]> {
  const latenciesMs: number[] = [];
  let lines = '';
  let text = '';
  return new Promise((resolve, reject) => {
    response.setEncoding('utf8').on('data', (chunk: string) => {
      const now = clockMs();
      lines += chunk;
      const whole = lines.lastIndexOf('\n') + 1;
      for (const line of lines.slice(0, whole).split('\n'))
        if (line.startsWith('data: ')) text += textOf(line.slice(6));
      lines = lines.slice(whole);
      const tokens = text.split(';');
      text = tokens.pop() ?? '';
      for (const token of tokens) latenciesMs.push(now - Number(token));
    });
    response.once('end', () => resolve(latenciesMs)).once('error', reject);
  });
}

/** What the REST stream of the service says. */
export function textOfToken(data: string): string {
  const { token = '' } = JSON.parse(data) as { token?: string };
  return token;
}

/** What the model itself says. */
export function textOfDelta(data: string): string {
  if (data === '[DONE]') return '';
  const { choices } = JSON.parse(data) as { choices: { delta: { content?: string } }[] };
  return choices[0]?.delta.content ?? '';
}
