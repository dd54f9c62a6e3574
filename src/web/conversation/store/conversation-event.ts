/** What happens to a conversation: what the reader does, what the service reports, and what was loaded. */
import type { ConversationThread, ResponseEvent } from '../../api/conversation-documents.js';
import type { MessagePage } from '../../api/message-documents.js';
import type { Feedback, Message, Thread } from '../../api/types.js';
import type { Branching, PendingMessage } from './conversation-state.js';
import type { Side } from './message-window.js';

/** The thread and the end of the conversation, or the messages around one. */
type Opened =
  | { type: 'opened'; thread: ConversationThread }
  | { type: 'opened'; thread: ConversationThread & { older: MessagePage; newer: MessagePage }; message: Message };

/** The thread with a message of its branch and what follows it, or with the end if that is too much or the branch is another one. */
type CaughtUp = { type: 'caughtUp'; thread: ConversationThread; from: string | null };

export type Loaded = Opened | CaughtUp;

/** A page before or after `edge`, which was at that end of the shown messages when the page was requested. */
type PageLoaded = { type: 'pageLoaded'; side: Side; edge: string; branchVersion: number; page: MessagePage };

/** An event of the answer to a message, with the position that it follows. */
type AnswerEvent = { messageId: string; after: string | null; event: ResponseEvent };

export type ConversationEvent =
  | { type: 'shown' | 'left' | 'hidden' }
  /** `accepted` are the pending messages that the service had accepted before the request. */
  | (Loaded & { accepted: readonly string[] })
  | { type: 'loadFailed'; problem: string }
  | { type: 'summaryLoaded'; summary: Message; last: { id: string; createdAt: string } | undefined }
  | { type: 'summaryFailed'; known: string | null }
  | { type: 'pageAwaited' | 'pageFailed'; side: Side }
  | { type: 'pageRetried' | 'olderToggled' }
  | PageLoaded
  /** The viewer's own change may be older than what was pushed; a push never is. */
  | { type: 'threadChanged'; thread: Thread; isPushed: boolean }
  /** `replaced` is the message in whose place it is sent, with all that follows that one. */
  | ({ type: 'messageSent'; replaced: string | null } & Pick<PendingMessage, 'key' | 'text' | 'attachmentNames'>)
  | { type: 'messageAccepted'; key: string; messageId: string }
  /** `branching` says at which message to show the refusal, if at one. */
  | { type: 'messageRefused'; key: string; branching: Branching | null }
  | ({ type: 'answerGrew' | 'answerEnded' } & AnswerEvent)
  /** The reader wants to see a message, or the end. */
  | { type: 'sought'; messageId: string | null }
  /** The editor was opened or closed, or another variant was refused. */
  | { type: 'branchingChanged'; branching: Branching | null }
  /** The viewer edits the last message of theirs. */
  | { type: 'newestEdited'; viewerId: string }
  | { type: 'rated'; messageId: string; myFeedback: Feedback | null };
