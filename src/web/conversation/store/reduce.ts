/**
 * The state of a conversation after an event. Events may come late, twice or in another order than what they tell of happened,
 * since requests, pushes and streams overtake each other: what an event cannot add to is left as it is.
 */
import { defaultPageSize } from '../../../contract.js';
import type { ConversationThread, ResponseEvent } from '../../api/conversation-documents.js';
import type { Message } from '../../api/types.js';
import { isAwaited, isOlder } from '../../threads/store/thread-state.js';
import type { ConversationEvent } from './conversation-event.js';
import {
  askedIn,
  type ConversationState,
  isAnswered,
  type LiveAnswer,
  type PendingMessage,
} from './conversation-state.js';
import {
  edgeOf,
  endOf,
  goesBeyond,
  holds,
  type MessageWindow,
  type Side,
  textOf,
  windowAround,
  windowBefore,
  windowOf,
  withBranch,
  withChanged,
  withPage,
  withSummary,
} from './message-window.js';

type State = ConversationState;
type EventOf<Type extends ConversationEvent['type']> = Extract<ConversationEvent, { type: Type }>;
/** What an event changes; null if nothing. */
type Change = Partial<State> | null;

export function reduce(state: State, event: ConversationEvent): State {
  const changeOf = changes[event.type] as (state: State, event: ConversationEvent) => Change;
  const change = changeOf(state, event);
  return change ? withEditor({ ...state, ...change }) : state;
}

/** An editor stays open when another version takes the place of its message, as when that is edited in another window. */
function withEditor(state: State): State {
  const { branching, shown } = state;
  if (!branching?.isEditing || holds(shown, branching.messageId)) return state;
  const { messageId, draftId = messageId } = branching;
  const isVersion = ({ variants }: Message) => variants?.previousId === messageId || variants?.nextId === messageId;
  const version = shown.messages.find(isVersion);
  return version ? { ...state, branching: { ...branching, messageId: version.id, draftId } } : state;
}

const changes: { [Type in ConversationEvent['type']]: (state: State, event: EventOf<Type>) => Change } = {
  shown: (state) => {
    const opened = { ...state, isOpen: true };
    const sent = state.pending.at(-1)?.messageId;
    return sent ? followed(opened, sent) : opened;
  },
  left: ({ newest }) => {
    // Only the end is kept, which is where the conversation opens again.
    const end = endOf(newest, defaultPageSize);
    return { isOpen: false, shown: end, newest: end, loading: null, unloaded: null };
  },
  hidden: () => ({ status: 'missing' }),
  opened: loaded,
  caughtUp: loaded,
  loadFailed: ({ status }, { problem }) => (status === 'loading' ? { status: 'failed', problem } : null),
  summaryLoaded: summarized,
  // The next load finds the summary again.
  summaryFailed: (_state, { known }) => ({ summaryId: known }),
  pageAwaited: (state, { side }) => (canGrow(state, side) ? { loading: side } : null),
  pageFailed: (_state, { side }) => ({ loading: null, unloaded: side }),
  pageRetried: () => ({ unloaded: null }),
  pageLoaded: (state, event) => ({ loading: null, ...grown(state, event) }),
  threadChanged: ({ thread: known }, { thread, isPushed }) =>
    !isPushed && known && isOlder(thread, known) ? null : { thread },
  messageSent: sent,
  messageAccepted: (state, { key, messageId }) => {
    const pending = state.pending.map((message) => (message.key === key ? { ...message, messageId } : message));
    return followed({ ...state, pending }, messageId);
  },
  messageRefused: refused,
  answerGrew: answered,
  answerEnded: answered,
  sought: ({ status, shown, newest, isOlderOpen }, { messageId }) => {
    if (!messageId) return status === 'ready' ? { shown: newest, unloaded: null, place: { at: 'end' } } : null;
    const held = shown.messages.find(({ id }) => id === messageId);
    return held ? { place: { at: { messageId } }, isOlderOpen: isOlderOpen || !held.active } : null;
  },
  olderToggled: ({ isOlderOpen }) => ({ isOlderOpen: !isOlderOpen, place: { at: 'boundary' } }),
  branchingChanged: (_state, { branching }) => ({ branching }),
  newestEdited: ({ newest }, { viewerId }) => {
    const isOwn = ({ role, active, author }: Message) => role === 'USER' && active && author?.id === viewerId;
    const messageId = newest.messages.findLast(isOwn)?.id;
    if (!messageId) return null;
    return { shown: newest, place: { at: { messageId } }, branching: { messageId, isEditing: true, problem: null } };
  },
  rated: (state, { messageId, myFeedback }) => withMessage(state, messageId, { myFeedback }),
};

/** A load that is wanted, and not from before another branch became the active one. */
function loaded(state: State, event: EventOf<'opened' | 'caughtUp'>): Change {
  const { thread: told, pending, isOpen, status } = state;
  const { messages: _messages, beginning, continuedIn, ...found } = event.thread;
  const isLate = told !== null && isOlder(found, told);
  const isOfCut = pending.some(({ cut }) => cut?.branchVersion === found.branchVersion);
  const isOutdated = isOfCut || (isLate && status === 'ready' && !isOfBranch(state, event.thread));
  const windows = event.type === 'opened' ? opened(state, event) : caughtUp(state, event);
  if (!isOpen || status === 'missing' || isOutdated || !windows) return null;
  const first = beginning.edges[0]?.node;
  const summaryId = first?.role === 'SUMMARY' ? first.id : null;
  const facts = { continuedFrom: found.continuedFrom, continuedIn, summaryId, branchVersion: found.branchVersion };
  // An event may overtake the response of an earlier request, which must not revert the thread.
  const thread = isLate ? told : found;
  const now: State = { ...state, ...facts, ...windows, thread, status: 'ready', problem: null };
  // A response from before a message was accepted does not contain it.
  now.pending = recognized(now, state).filter(({ messageId }) => !messageId || !event.accepted.includes(messageId));
  return isLate ? now : settled(now);
}

function isOfBranch({ branchVersion }: State, thread: ConversationThread): boolean {
  return thread.branchVersion === branchVersion;
}

type Windows = Pick<State, 'shown' | 'newest'> & Partial<State>;

function opened(state: State, event: EventOf<'opened'>): Windows {
  const newest = newerOf(state, event.thread);
  // What was sent meanwhile has led the list already.
  if (!('message' in event))
    return { shown: newest, newest, ...(state.pending.length === 0 && { place: { at: 'end' } }) };
  const { message, thread } = event;
  const shown = windowAround(message, thread);
  const place = { at: { messageId: message.id } };
  const isOlderOpen = state.isOlderOpen || !message.active;
  const isEnd = !shown.hasNewer && !goesBeyond(newest, shown);
  return { shown: isEnd ? shown : { ...shown, hasNewer: true }, newest: isEnd ? shown : newest, place, isOlderOpen };
}

/** A reader far from the end stays where they are. */
function caughtUp(state: State, { thread, from }: EventOf<'caughtUp'>): Windows | null {
  const { shown, newest } = state;
  const isAtEnd = shown === newest;
  if (from !== null) {
    if (!holds(newest, from)) return null;
    const grown = withPage(withEnding(state, thread), 'newer', thread.messages);
    return { newest: grown, shown: isAtEnd ? grown : shown };
  }
  if (isOfBranch(state, thread)) {
    const end = newerOf(state, thread);
    return isAtEnd ? { newest: end, shown: end, place: { at: 'end' } } : { newest: end, shown };
  }
  const end = withBranch(newest, windowOf(thread.messages));
  return { newest: end, shown: end, ...(isAtEnd ? {} : { place: { at: 'end' } }) };
}

/** The end of the conversation, with how the answer ended that the first message of a page tells of, unless the page is late. */
function withEnding({ newest, thread: told }: State, { messages, ...thread }: ConversationThread): MessageWindow {
  const known = messages.edges[0]?.node;
  if (!known || (told && isOlder(thread, told))) return newest;
  const { id, response, stopReason, isTruncated } = known;
  return withChanged(newest, id, { response, stopReason, isTruncated });
}

/** The end of the conversation: the loaded one, or the known one if it goes on after that. */
function newerOf(state: State, thread: ConversationThread): MessageWindow {
  const end = windowOf(thread.messages);
  return isOfBranch(state, thread) && goesBeyond(state.newest, end) ? state.newest : end;
}

/**
 * Finds pending messages among the loaded ones, in their order: they may arrive before the service's word that they were accepted.
 * Where the message before one is of a branch that is gone, it is among those that were not known before.
 */
function recognized({ pending, newest }: State, before: State): PendingMessage[] {
  const { messages } = newest;
  const windows = [before.newest, ...pending.flatMap(({ cut }) => cut?.newest ?? [])];
  const unknown = messages.findLastIndex(({ id }) => windows.some((window) => holds(window, id))) + 1;
  let last: string | null = null;
  return pending.map((sent) => {
    const after = last ?? sent.after;
    const start = messages.findIndex(({ id }) => id === after) + 1 || unknown;
    const isSame = (message: Message) => message.role === 'USER' && textOf(message) === sent.text;
    const messageId = sent.messageId ?? messages.slice(start).find(isSame)?.id ?? null;
    if (messageId && holds(newest, messageId)) last = messageId;
    return { ...sent, after, messageId };
  });
}

/** The state when its end is up to date: an answer that is over is stored, and the next one is followed. */
function settled(state: State): State {
  const { thread, newest, live, pending } = state;
  const asked = askedIn(state)?.id;
  // Until an accepted message is loaded, the thread may be known from before it.
  const isEnded = !isAwaited(thread) && !pending.some(({ messageId }) => messageId === live?.messageId);
  const now = isEnded || (live && isAnswered(newest, live.messageId)) ? unfollowed(state) : state;
  const accepted = pending.findLast(({ messageId }) => messageId)?.messageId ?? asked;
  const isNext = isAwaited(thread) && accepted === asked;
  return asked && isNext ? followed(now, asked) : now;
}

/** After a retried request, the answer may already be complete. */
function followed(state: State, messageId: string): State {
  const { isOpen, live, newest } = state;
  if (!isOpen || live?.messageId === messageId || isAnswered(newest, messageId)) return state;
  return { ...unfollowed(state), live: { ...unbegun, messageId } };
}

const unbegun: Omit<LiveAnswer, 'messageId'> = {
  ...{ position: null, status: 'QUEUED', text: '', thinking: '', isRestarted: false, retry: null, failure: null },
};

/** Ends the answer. Its reasoning, its restart and the reason of its failure are kept. */
function unfollowed(state: State): State {
  if (!state.live) return state;
  const { messageId, thinking, failure, isRestarted } = state.live;
  return {
    ...state,
    live: null,
    thoughts: thinking ? new Map(state.thoughts).set(messageId, thinking) : state.thoughts,
    restarted: isRestarted ? new Set(state.restarted).add(messageId) : state.restarted,
    ...(failure ? withMessage(state, messageId, { response: failure }) : {}),
  };
}

/** The next event of the followed answer. One that does not follow the position is a repetition, or of another attempt. */
function answered({ live }: State, { messageId, after, event }: EventOf<'answerGrew' | 'answerEnded'>): Change {
  if (live?.messageId !== messageId || live.position !== after || live.status === 'ENDED') return null;
  return { live: { ...live, position: event.cursor, ...growthOf(live, event) } };
}

function growthOf({ text, thinking }: LiveAnswer, event: ResponseEvent): Partial<LiveAnswer> {
  const { __typename: kind } = event;
  if (kind === 'ResponseToken') return { status: 'RUNNING', retry: null, text: text + event.token };
  if (kind === 'ResponseThinking') return { status: 'RUNNING', retry: null, thinking: thinking + event.text };
  if (kind === 'ResponseRestarted') return { retry: null, text: '', thinking: '', isRestarted: true };
  if (kind === 'ResponseRetrying') return { retry: event };
  if (kind === 'ResponseStatus')
    return event.status === 'QUEUED' || event.status === 'RUNNING' ? { status: event.status } : {};
  if (kind === 'ResponseDone') return { status: 'ENDED', retry: null };
  const __typename = event.code === 'response_interrupted' ? 'ResponseInterrupted' : 'ResponseFailed';
  return { status: 'ENDED', retry: null, failure: { __typename, message: event.message } };
}

/** Shows a message that is being sent: at the end, or in place of another one and all that follows it. */
function sent(state: State, { type: _type, replaced, ...message }: EventOf<'messageSent'>): Change {
  const { shown, newest } = state;
  const end = replaced === null ? newest : windowBefore(holds(shown, replaced) ? shown : newest, replaced);
  const cut = replaced === null ? null : { branchVersion: state.branchVersion, shown, newest };
  const added = { ...message, cut, messageId: null, after: end.messages.at(-1)?.id ?? null };
  const pending = replaced === null ? [...state.pending, added] : [added];
  const at = { shown: end, newest: end, unloaded: null, place: { at: 'end' } } as const;
  return { ...at, pending, branching: replaced === null ? state.branching : null };
}

/** Shows what a message has cut off again, unless its branch is no longer the active one. */
function refused({ pending, isOpen, branchVersion, ...state }: State, event: EventOf<'messageRefused'>): Change {
  const cut = pending.find(({ key }) => key === event.key)?.cut;
  const branching = event.branching ?? state.branching;
  const change = { pending: pending.filter(({ key }) => key !== event.key), branching };
  if (!cut || !branching || !isOpen || cut.branchVersion !== branchVersion) return change;
  const { shown, newest } = cut;
  return { ...change, shown, newest, place: { at: { messageId: branching.messageId } } };
}

/** Whether more messages exist on a side and would be visible. */
function canGrow({ status, loading, unloaded, isOlderOpen, shown }: State, side: Side): boolean {
  if (status !== 'ready' || loading || unloaded) return false;
  const isHidden = !isOlderOpen && shown.messages[0]?.active === false;
  return side === 'older' ? shown.hasOlder && !isHidden : shown.hasNewer;
}

/** A page that still joins the shown messages, and is of their branch. Nothing joins the end: it may be where an edit cuts. */
function grown(state: State, { side, edge, branchVersion, page }: EventOf<'pageLoaded'>): Change {
  const { shown, newest } = state;
  const isEnd = side === 'newer' && !shown.hasNewer;
  if (isEnd || edgeOf(shown, side)?.id !== edge || branchVersion !== state.branchVersion) return null;
  const larger = withPage(shown, side, page);
  if (!larger.hasNewer) {
    return goesBeyond(newest, larger) ? { shown: { ...larger, hasNewer: true } } : { shown: larger, newest: larger };
  }
  return { shown: larger, newest: shown === newest ? endOf(newest, defaultPageSize) : newest };
}

/** Messages that a summary replaces stay visible to a reader who sees them. */
function summarized({ shown, newest, isOlderOpen }: State, { summary, last }: EventOf<'summaryLoaded'>): Change {
  if (!last) return null;
  const place = (window: MessageWindow) => withSummary(window, { summary, last });
  const placed = place(newest);
  const seen = shown === newest ? placed : place(shown);
  return { newest: placed, shown: seen, isOlderOpen: isOlderOpen || seen !== shown };
}

function withMessage({ shown, newest }: State, id: string, change: Partial<Message>): Pick<State, 'shown' | 'newest'> {
  const changed = withChanged(newest, id, change);
  return { newest: changed, shown: shown === newest ? changed : withChanged(shown, id, change) };
}
