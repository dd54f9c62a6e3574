import type { Message, Thread } from '../../api/types.js';

/** A thread with what the assistant is told for it, if anything. */
export type InstructedThread = Thread & { instructions: string | null };

/** How a thread is written: what comes before its messages, each message, and what comes after them. */
export interface FileForm {
  ending: string;
  type: string;
  start: (thread: InstructedThread) => string;
  message: (message: Message, isFirst: boolean) => string;
  end: string;
}
