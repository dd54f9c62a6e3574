/** A service with one thread and a page that shows it: what the page is told waits until the test delivers it, in any order. */
import type { ConversationThread, ResponseEvent } from '../../../../src/web/api/conversation-documents.js';
import type { MessagePage } from '../../../../src/web/api/message-documents.js';
import type { Message, Thread } from '../../../../src/web/api/types.js';
import type { ConversationEvent, Loaded } from '../../../../src/web/conversation/store/conversation-event.js';
import { unopened } from '../../../../src/web/conversation/store/conversation-state.js';
import { edgeOf } from '../../../../src/web/conversation/store/message-window.js';
import { reduce } from '../../../../src/web/conversation/store/reduce.js';

const pageSize = 3;
const endSize = 4;

interface Answer {
  /** The text of each attempt. */
  attempts: string[];
  end: 'done' | 'stopped' | null;
}

/** A subscription to an answer. Once it is closed it tells nothing more of that answer, since another one may have begun. */
interface Stream {
  messageId: string;
  after: string | null;
  attempt: number;
  text: number;
  isOver: boolean;
}

interface Sending {
  key: string;
  text: string;
  replaced: string | null;
}

/** What is on its way to the page. */
type Mail = { event: ConversationEvent; stream?: Stream };

export class World {
  state = unopened;
  readonly events: ConversationEvent[] = [];
  /** The messages of each branch by its version, of which only the last one grows. */
  readonly branches: Message[][] = [[]];
  readonly answers = new Map<string, Answer>();
  readonly mail: Mail[] = [];
  readonly #asked: (() => ConversationEvent)[] = [];
  readonly #sendings: Sending[] = [];
  #stream: Stream | null = null;
  #clock = 0;
  /** The message that is being answered. */
  busy: string | null = null;
  #count = 0;

  get branch(): Message[] {
    return this.branches.at(-1) ?? [];
  }

  get thread(): Thread {
    const instant = new Date(Date.UTC(2026, 0, 1) + this.#clock * 1000).toISOString();
    const wasStopped =
      this.answers.get(this.branch.findLast(({ role }) => role === 'USER')?.id ?? '')?.end === 'stopped';
    return {
      ...{ id: 'thread', name: null, title: null, isPrivate: false, archived: false, isUnread: false, isPinned: false },
      ...{ tags: [], owner: { id: 'ada', name: null }, continuedFrom: null, branchVersion: this.branches.length - 1 },
      ...{ createdAt: instant, updatedAt: instant, activeAt: instant },
      state: this.busy ? 'ACTIVE' : wasStopped ? 'INTERRUPTED' : 'READY',
    };
  }

  dispatch(event: ConversationEvent): void {
    this.events.push(event);
    this.state = reduce(this.state, event);
    this.#followAnswer();
  }

  /** A message by anybody, which the service accepts unless it is busy. Returns its ID. */
  post(text = `theirs ${this.#count}`, replaced: string | null = null): string | null {
    if (this.busy) return null;
    const end = replaced === null ? this.branch.length : this.branch.findIndex(({ id }) => id === replaced);
    if (end < 0) return null;
    if (replaced !== null) this.branches.push(this.branch.slice(0, end));
    const id = this.#add('USER', text, null);
    this.answers.set(id, { attempts: [''], end: null });
    this.busy = id;
    this.#push();
    return id;
  }

  /** Somebody goes back to another branch. */
  select(index: number): void {
    const earlier = this.branches[index % this.branches.length];
    if (this.busy || !earlier) return;
    this.branches.push([...earlier]);
    this.#push();
  }

  rename(): void {
    this.#push();
  }

  write(text: string): void {
    const answer = this.#answer;
    if (answer) answer.attempts[answer.attempts.length - 1] += text;
    this.#stir();
  }

  restart(): void {
    this.#answer?.attempts.push('');
    this.#stir();
  }

  finish(end: 'done' | 'stopped'): void {
    const answer = this.#answer;
    const asked = this.busy;
    if (!answer || !asked) return;
    const text = answer.attempts.at(-1) ?? '';
    answer.end = end;
    this.busy = null;
    if (text !== '' || end === 'done') this.#add('ASSISTANT', text, asked);
    if (end === 'stopped') this.#stop(asked);
    this.#push();
    this.#stir();
  }

  send(replaces: number | null): void {
    const shown = this.state.shown.messages.filter(({ role }) => role === 'USER');
    const replaced = replaces === null ? null : (shown[replaces % Math.max(shown.length, 1)]?.id ?? null);
    if (this.state.status !== 'ready' || (replaces !== null && (replaced === null || this.state.pending.length > 0)))
      return;
    this.#count += 1;
    const sending = { key: `key ${this.#count}`, text: `sent ${this.#count}`, replaced };
    this.#sendings.push(sending);
    this.dispatch({ type: 'messageSent', attachmentNames: [], ...sending });
  }

  /** The service decides about a message that was sent. */
  decide(index: number): void {
    const [sending] = this.#sendings.splice(index % Math.max(this.#sendings.length, 1), 1);
    if (!sending) return;
    const { key, text, replaced } = sending;
    const messageId = this.post(text, replaced);
    const branching = replaced === null ? null : { messageId: replaced, isEditing: true, problem: 'Busy' };
    if (messageId) this.mail.push({ event: { type: 'messageAccepted', key, messageId } });
    else this.mail.push({ event: { type: 'messageRefused', key, branching } });
  }

  /** Asks for what the page would ask for now. */
  refresh(): void {
    const { newest, branchVersion } = this.state;
    const last = newest.messages.at(-1)?.id;
    const accepted = this.#accepted;
    const load = (): Loaded => {
      const thread = this.#conversation(this.#end());
      if (!last) return { type: 'opened', thread };
      if (thread.branchVersion !== branchVersion) return { type: 'caughtUp', thread, from: null };
      const known = this.#conversation(
        this.#page(
          this.branch.findIndex(({ id }) => id === last),
          this.branch.length,
        ),
      );
      const isFar = known.messages.edges.length > 2 * pageSize;
      return isFar ? { type: 'caughtUp', thread, from: null } : { type: 'caughtUp', thread: known, from: last };
    };
    this.#asked.push(() => ({ ...load(), accepted }));
  }

  openAt(index: number): void {
    const id = this.branch[index % Math.max(this.branch.length, 1)]?.id;
    const accepted = this.#accepted;
    this.#asked.push(() => {
      const thread = this.#conversation(this.#end());
      const at = this.branch.findIndex((message) => message.id === id);
      const message = this.branch[at];
      if (!message) return { type: 'opened', thread, accepted };
      const older = this.#page(Math.max(0, at - pageSize), at);
      const newer = this.#page(at + 1, at + 1 + pageSize);
      return { type: 'opened', thread: { ...thread, older, newer }, message, accepted };
    });
  }

  approach(side: 'older' | 'newer'): void {
    this.dispatch({ type: 'pageAwaited', side });
    const edge = edgeOf(this.state.shown, side)?.id;
    if (!edge || this.state.loading !== side) return;
    this.#asked.push(() => {
      // What was put aside keeps its place: what follows it is of the other branch.
      const at = this.branch.findIndex(({ id }) => id === edge);
      if (at < 0) return { type: 'pageFailed', side };
      const page =
        side === 'older' ? this.#page(Math.max(0, at - pageSize), at) : this.#page(at + 1, at + 1 + pageSize);
      return { type: 'pageLoaded', side, edge, branchVersion: this.branches.length - 1, page };
    });
  }

  /** The service answers a request with what it has at this moment. */
  serve(index: number): void {
    const [answer] = this.#asked.splice(index % Math.max(this.#asked.length, 1), 1);
    if (answer) this.mail.push({ event: answer() });
  }

  /** Something reaches the page, and perhaps once more later. */
  deliver(index: number, isRepeated: boolean): void {
    const at = index % Math.max(this.mail.length, 1);
    const mail = this.mail[at];
    if (!mail) return;
    if (!isRepeated) this.mail.splice(at, 1);
    const { event, stream } = mail;
    if (stream && stream !== this.#stream && stream.messageId === this.#stream?.messageId) return;
    this.dispatch(event);
  }

  /** Everything arrives, the reader comes back, and the page loads what it does not have. */
  settle(): void {
    while (this.#sendings.length > 0) this.decide(0);
    this.#arrive();
    this.dispatch({ type: 'left' });
    this.dispatch({ type: 'shown' });
    for (let round = 0; round < 3; round += 1) {
      this.#arrive();
      this.dispatch({ type: 'threadChanged', thread: this.thread, isPushed: true });
      this.refresh();
    }
  }

  get #accepted(): string[] {
    return this.state.pending.flatMap(({ messageId }) => messageId ?? []);
  }

  #arrive(): void {
    while (this.#asked.length > 0) this.serve(0);
    while (this.mail.length > 0) this.deliver(0, false);
  }

  get #answer(): Answer | undefined {
    return this.answers.get(this.busy ?? '');
  }

  #add(role: 'USER' | 'ASSISTANT', text: string, replyToId: string | null): string {
    this.#count += 1;
    const id = `msg ${this.#count}`;
    this.branch.push({
      ...{ id, role, replyToId, author: null, active: true, createdAt: this.thread.createdAt, stopReason: null },
      ...{ isTruncated: false, hasReasoning: false, variants: null, contents: [{ __typename: 'TextBlock', text }] },
      ...{ attachments: [], myFeedback: null, response: null },
    });
    return id;
  }

  /** Messages that are on their way stay as they were. */
  #stop(asked: string): void {
    const reason = 'Stopped';
    for (const [at, message] of this.branch.entries()) {
      if (message.id === asked)
        this.branch[at] = { ...message, response: { __typename: 'ResponseInterrupted', message: reason } };
      if (message.replyToId === asked) this.branch[at] = { ...message, stopReason: reason };
    }
  }

  #push(): void {
    this.#clock += 1;
    this.mail.push({ event: { type: 'threadChanged', thread: this.thread, isPushed: true } });
  }

  #page(from: number, to: number): MessagePage {
    return {
      edges: this.branch.slice(from, to).map((node) => ({ cursor: node.id, node })),
      pageInfo: { hasPreviousPage: from > 0, hasNextPage: to < this.branch.length },
    };
  }

  #end(): MessagePage {
    return this.#page(Math.max(0, this.branch.length - endSize), this.branch.length);
  }

  #conversation(messages: MessagePage): ConversationThread {
    const beginning = { edges: this.branch.slice(0, 1).map((node) => ({ node })) };
    return { ...this.thread, continuedFrom: null, continuedIn: null, beginning, messages };
  }

  /** As the page does after each event. */
  #followAnswer(): void {
    const { live, isOpen } = this.state;
    const next = isOpen && live && live.status !== 'ENDED' ? live : null;
    if (next?.messageId === this.#stream?.messageId) return;
    const [, attempt = 0, text = 0] = /^(\d+)-(\d+)$/.exec(next?.position ?? '') ?? [];
    this.#stream = next && {
      ...{ messageId: next.messageId, after: next.position, isOver: false },
      ...{ attempt: Number(attempt), text: Number(text) },
    };
    this.#stir();
  }

  /** Tells the follower of the answer what it does not have. */
  #stir(): void {
    const stream = this.#stream;
    const answer = stream && this.answers.get(stream.messageId);
    if (!stream || !answer || stream.isOver) return;
    const newest = answer.attempts.length - 1;
    const at = () => `${stream.attempt}-${stream.text}`;
    if (stream.attempt < newest) {
      const hadSome = stream.text > 0;
      Object.assign(stream, { attempt: newest, text: 0 });
      if (hadSome) this.#tell(stream, { __typename: 'ResponseRestarted', cursor: at() });
    }
    if (stream.after === null) this.#tell(stream, { __typename: 'ResponseStatus', cursor: at(), status: 'RUNNING' });
    const token = answer.attempts[newest]?.slice(stream.text) ?? '';
    stream.text += token.length;
    if (token) this.#tell(stream, { __typename: 'ResponseToken', cursor: at(), token });
    if (!answer.end) return;
    stream.isOver = true;
    const cursor = `${stream.attempt}-end`;
    if (answer.end === 'done') this.#tell(stream, { __typename: 'ResponseDone', cursor });
    else this.#tell(stream, { __typename: 'ResponseError', cursor, code: 'response_interrupted', message: 'Stopped' });
  }

  #tell(stream: Stream, event: ResponseEvent): void {
    const { messageId, after } = stream;
    stream.after = event.cursor;
    const isEnd = event.__typename === 'ResponseDone' || event.__typename === 'ResponseError';
    this.mail.push({ event: { type: isEnd ? 'answerEnded' : 'answerGrew', messageId, after, event }, stream });
  }
}
