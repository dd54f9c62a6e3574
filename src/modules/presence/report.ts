/**
 * What nodes tell each other of presence: for each person in a thread, for how many milliseconds from now they count as
 * reading and as writing. Times are relative, because nodes share no clock, and people are ids: whoever shows them looks
 * up their names. A text has several reports, as many as a notification of PostgreSQL can carry.
 */
import { isId } from '../../ids.js';
import type { Place } from './roster.js';

export interface Report extends Place {
  readingMs: number;
  writingMs: number;
  /** Whether the person has sent their message: then they write on no node any more. */
  hasSent: boolean;
}

/** PostgreSQL allows 8,000 bytes. */
const mostCharacters = 7_000;

/** The texts that tell other nodes. */
export function encodeReports(node: string, reports: readonly Report[]): string[] {
  const texts: string[] = [];
  let text = node;
  for (const { threadId, userId, readingMs, writingMs, hasSent } of reports) {
    const line = `\n${threadId} ${userId} ${Math.ceil(readingMs)} ${Math.ceil(writingMs)} ${hasSent ? 1 : 0}`;
    if (text.length + line.length > mostCharacters) {
      texts.push(text);
      text = node;
    }
    text += line;
  }
  return text === node ? texts : [...texts, text];
}

/** The node that sent a text, and what it reports. Lines that are no reports, as a newer version may send, are left out. */
export function decodeReports(text: string): { node: string; reports: Report[] } {
  const [node = '', ...lines] = text.split('\n');
  return { node, reports: lines.flatMap((line) => readLine(line) ?? []) };
}

function readLine(line: string): Report | null {
  const [threadId = '', userId = '', reading = '', writing = '', sent = ''] = line.split(' ');
  const isReport =
    isId('thr', threadId) && isId('usr', userId) && [reading, writing, sent].every((text) => /^\d{1,6}$/.test(text));
  if (!isReport) return null;
  return { threadId, userId, readingMs: Number(reading), writingMs: Number(writing), hasSent: sent === '1' };
}
