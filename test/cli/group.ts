/** A service of several processes, as its log shows it: which process did what, and which processes there are. */
import { request } from 'node:http';
import { sendSignal } from '../../src/database/embedded/process/identity.js';
import type { Program } from './program.js';

export interface LogLine {
  level: number;
  msg: string;
  process: number;
  pid: number;
  path?: string;
  child?: { number: number; pid: number };
  migrations?: number;
}

/** The lines that the program has logged so far. */
export function logOf({ stderr }: Pick<Program, 'stderr'>): LogLine[] {
  const whole = stderr.slice(0, stderr.lastIndexOf('\n') + 1);
  return whole
    .split('\n')
    .filter((line) => line.startsWith('{'))
    .map((line) => JSON.parse(line) as LogLine);
}

/** The numbers of the processes that have answered a request for such a path. */
export function answeredBy(program: Pick<Program, 'stderr'>, path: RegExp): number[] {
  const lines = logOf(program).filter((line) => line.msg === 'request' && path.test(line.path ?? ''));
  return [...new Set(lines.map((line) => line.process))].toSorted();
}

/** The process ids of the processes that serve, the oldest first, with those that have ended. */
export function startedPids(program: Pick<Program, 'stderr'>): { number: number; pid: number }[] {
  return logOf(program).flatMap(({ msg, child }) => (child && / is serving$/.test(msg) ? [child] : []));
}

export function livingPids(program: Pick<Program, 'stderr'>): number[] {
  return startedPids(program).flatMap(({ pid }) => (sendSignal(pid, 0) ? [pid] : []));
}

export interface Asked {
  method?: string;
  headers?: Record<string, string>;
  body?: object;
}

/** A request over a connection of its own: the connections of a service go to its processes in turns. */
export function askOnce(url: string, { method = 'GET', headers = {}, body }: Asked = {}) {
  return new Promise<{ status: number; text: string }>((resolve, reject) => {
    const type = body === undefined ? {} : { 'content-type': 'application/json' };
    const sent = request(url, { method, agent: false, headers: { ...type, ...headers } }, (response) => {
      let text = '';
      response.setEncoding('utf8').on('data', (piece: string) => {
        text += piece;
      });
      response.once('end', () => resolve({ status: response.statusCode ?? 0, text })).once('error', reject);
    });
    sent.once('error', reject).end(body === undefined ? undefined : JSON.stringify(body));
  });
}
