/**
 * What the tests ask of a generated client. Its caller implements it with what the generator made and adds no type of its own, so a
 * generated type that is wider than what is sent does not compile.
 */
import type { RestProblemCode } from '../../src/http/problems/codes.js';

export interface Thread {
  id: string;
  name: string | null;
  state: 'ready' | 'waiting' | 'active' | 'error' | 'interrupted';
  is_private: boolean;
  owner: { id: string; name: string | null };
}

export interface Page<Item> {
  data: Item[];
  last_id: string | null;
  has_more: boolean;
}

export interface Problem {
  status: number;
  code: RestProblemCode;
  detail: string;
  required_scope?: string;
  thread_state?: 'waiting' | 'active' | 'error' | 'interrupted';
  errors?: { parameter?: string; pointer?: string; message: string }[];
}

/** What a call came to: exactly one of the two. */
export type Outcome<Data> = { data: Data } | { problem: Problem };

export interface Filters {
  q?: string;
  private?: boolean;
  sort_by?: 'updated_at' | 'created_at';
  sort_dir?: 'asc' | 'desc';
  limit?: number;
  after?: string;
}

export interface Client {
  /** The role of the caller. */
  role(): Promise<'admin' | 'member'>;
  /** Creates a thread from nothing but its text, with or without a key that makes it safe to repeat. */
  createThread(text: string, idempotencyKey?: string): Promise<Outcome<{ thread_id: string; message_id: string }>>;
  listThreads(filters: Filters): Promise<Outcome<Page<Thread>>>;
  getThread(threadId: string): Promise<Outcome<Thread>>;
  /** All messages of a thread, as `role: text`. */
  transcript(threadId: string): Promise<string[]>;
  sendMessage(threadId: string, text: string): Promise<Outcome<{ message_id: string }>>;
  rateMessage(threadId: string, messageId: string, positive: boolean): Promise<Outcome<'rated'>>;
  /** The ids of the assistant's messages, or that they are still being made. */
  poll(threadId: string, messageId: string): Promise<Outcome<'processing' | string[]>>;
  /** The tokens of a response; throws where the response fails. */
  tokens(threadId: string, messageId: string): AsyncIterable<string>;
}

export interface Access {
  baseUrl: string;
  token: string;
}
