/**
 * What the formats of other services have in common: a tree of messages, of which one branch is the conversation. Each reader brings
 * its format into this form, and says of every message what of it is left out.
 */
import { z } from 'zod';
import { parseDateTime } from '../../platform/date-time.js';
import type { ImportOmission } from './file/import-limits.js';

/** What is left out, and how often. */
export type Omissions = Partial<Record<ImportOmission, number>>;

export interface SourceMessage {
  /** The message before it; null for the first one. */
  parent: string | null;
  /** Null for what is no message of a person or of the assistant. */
  role: 'user' | 'assistant' | null;
  /** Markdown. */
  text: string;
  leftOut: Omissions;
  createdAt: Date | null;
  model: string | null;
}

export interface SourceConversation {
  source: 'chatgpt' | 'open-webui' | 'librechat';
  id: string | null;
  title: string | null;
  createdAt: Date | null;
  isArchived: boolean;
  messages: ReadonlyMap<string, SourceMessage>;
  /** The last message of the active branch, if the export names it. */
  current: string | null;
}

/** A value that is not of the expected form counts as missing: what is wrong with one field must not cost the conversation. */
const lenient = <Type extends z.ZodType>(type: Type) => type.nullish().catch(null);

/** Times are in seconds, in milliseconds or in ISO 8601. What is no time of this age is not taken. */
const time = z
  .unknown()
  .optional()
  .transform((value): Date | null => {
    const read = typeof value === 'string' ? parseDateTime(value) : typeof value === 'number' ? ofNumber(value) : null;
    return read && read.getTime() > 0 && read.getTime() < latest ? read : null;
  });

/** The fields of a format, each of which may be missing. */
export const maybe = {
  of: lenient,
  text: lenient(z.string()),
  list: lenient(z.array(z.unknown())),
  flag: lenient(z.boolean()),
  time,
};

const latest = Date.UTC(2100);
/** In seconds this is beyond the year 5000, and in milliseconds in 1973. */
const leastMilliseconds = 1e11;

function ofNumber(value: number): Date | null {
  const ms = value < leastMilliseconds ? value * 1000 : value;
  return Number.isFinite(ms) && Math.abs(ms) < 8.64e15 ? new Date(Math.floor(ms)) : null;
}

/** A text, or the omission that a part of a message is. */
export type MessagePart = { text: string } | { leftOut: ImportOmission };

export function textOfParts(parts: readonly MessagePart[]): { text: string; leftOut: Omissions } {
  const leftOut: Omissions = {};
  for (const part of parts) if ('leftOut' in part) count(leftOut, part.leftOut);
  const texts = parts.flatMap((part) => ('text' in part ? [part.text] : []));
  return { text: texts.join('\n\n'), leftOut };
}

export function count(omissions: Omissions, what: ImportOmission, times = 1): void {
  if (times > 0) omissions[what] = (omissions[what] ?? 0) + times;
}
