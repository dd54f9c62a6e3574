/**
 * Threads in which every kind of thing occurs, put into the database as the service stores them, and a secret in each text.
 */
import { createId } from '../../../src/ids.js';
import { sessionDigest } from '../../../src/modules/identity/session.js';
import type { ContentBlock } from '../../../src/modules/messages/content.js';
import { allowImpossiblePairs } from '../../support/database/impossible-pairs.js';
import type { Person, TestService } from '../../support/service.js';
import type { Secrets } from '../attacks/secrets.js';

/** What becomes of the thread's last message, or how the thread is put away. */
export const kinds = ['ready', 'archived', 'waiting', 'active', 'error', 'interrupted'] as const;
export type Kind = (typeof kinds)[number];

export interface Target {
  kind: Kind;
  isPrivate: boolean;
  name: string;
  threadId: string;
  /** A user message with a complete response, and the message of the assistant in it, which ends with a question. */
  questionId: string;
  answerId: string;
  /** Another variant of that user message, which is not selected. */
  variantId: string;
  /** One of the answers that it offers. */
  choice: string;
  /** The last user message. */
  lastQuestionId: string;
  /** An access token of the owner. */
  tokenId: string;
  /** A session of the owner. */
  sessionId: string;
  /** Conversations that the owner has uploaded to import them. */
  uploadId: string;
}

type Conversation = Omit<Target, 'choice' | 'tokenId' | 'sessionId' | 'uploadId'>;

/** What all targets have in common. */
interface Shared {
  organizationId: number;
  /** Another member of the organization, who has every thread open. */
  readerId: string;
  tokenId: string;
  sessionId: string;
}

const statusOf = { waiting: 'queued', active: 'running', error: 'failed', interrupted: 'interrupted' } as const;

/** How many uploads of targets are kept: nobody may have many. */
const mostUploads = 20;
/** A mutation gives the thread that it changed, without what is in it, to whoever may write. */
const ofThread = ['threads:read', 'threads:write'] as const;

export class Stage {
  /** Whether a thread is private, by its id and by those of its messages. */
  readonly privacy = new Map<string, boolean>();
  readonly #uploads: string[] = [];
  #shared: Promise<Shared> | undefined;

  constructor(
    readonly service: TestService,
    readonly owner: Person,
    readonly secrets: Secrets,
  ) {}

  /** A new thread of the owner between two private ones: it continues one, and the other continues it. */
  async target(kind: Kind, isPrivate: boolean): Promise<Target> {
    const { organizationId, readerId, tokenId, sessionId } = await this.#everywhere();
    const earlier = this.#thread(organizationId, { name: this.secrets.make('earlier') });
    const name = this.secrets.make('name', { isPrivate, scopes: ofThread });
    const itself = this.#thread(organizationId, { kind, isPrivate, name, continuedFromId: earlier.id });
    const threadId = itself.id;
    const later = this.#thread(organizationId, { name: this.secrets.make('later'), continuedFromId: threadId });
    await this.service.database.thread.createMany({ data: [earlier, itself, later] });
    const isOpen = kind in statusOf;
    const questionId = this.#id('msg', isPrivate);
    const answerId = this.#id('msg', isPrivate);
    const variantId = this.#id('msg', isPrivate);
    const lastQuestionId = isOpen ? this.#id('msg', isPrivate) : questionId;
    const target = { kind, isPrivate, name, threadId, questionId, answerId, variantId, lastQuestionId };
    const choice = await this.#addMessages(target, isOpen);
    await this.#addResponses(target);
    const uploadId = await this.#addBelongings(target);
    this.service.service.presence.enter({ threadId, userId: readerId });
    return { ...target, choice, tokenId, sessionId, uploadId };
  }

  /** Made for the first target, because nothing that a caller may do changes any of it. */
  #everywhere(): Promise<Shared> {
    this.#shared ??= this.#addShared();
    return this.#shared;
  }

  async #addShared(): Promise<Shared> {
    const { service, storage } = this.service;
    await allowImpossiblePairs(storage.url);
    const { organizationId } = await service.database.user.findUniqueOrThrow({ where: { id: this.owner.id } });
    const { id: readerId } = await this.service.person({ org: 'acme' });
    return { organizationId, readerId, tokenId: await this.#addToken(), sessionId: await this.#addSession() };
  }

  /** A file that the owner has sent to nobody yet. */
  async unsentFile(): Promise<void> {
    const file = { id: createId('att'), ownerId: this.owner.id, name: this.secrets.make('unsent') };
    const data = { ...file, mediaType: 'text/plain', size: 3, createdAt: new Date() };
    await this.service.database.attachment.create({ data });
  }

  /** A thread that a colleague may have seen before it was made private. */
  async hiddenThread(): Promise<void> {
    const { thread } = this.service.database;
    const { organizationId } = await this.#everywhere();
    const { id } = await thread.create({
      data: this.#thread(organizationId, { name: this.secrets.make('hidden'), isPrivate: false }),
    });
    await thread.update({ where: { id }, data: { isPrivate: true } });
    this.privacy.set(id, true);
  }

  /** A new id of a message or an attachment. Those of private threads are secrets. */
  #id(prefix: 'thr' | 'msg' | 'att', isPrivate: boolean): string {
    const id = createId(prefix);
    this.privacy.set(id, isPrivate);
    if (isPrivate) this.secrets.add({ text: id, isPrivate, scopes: ['threads:read'] });
    return id;
  }

  #thread(
    organizationId: number,
    options: { kind?: Kind; isPrivate?: boolean; name: string; continuedFromId?: string },
  ) {
    const { kind = 'ready', isPrivate = true, name, continuedFromId = null } = options;
    const now = new Date();
    const tag = this.secrets.make('tag', { isPrivate, scopes: ofThread });
    return {
      ...{ tags: [tag], tagKeys: [`${organizationId} ${tag}`] },
      ...{ id: this.#id('thr', isPrivate), organizationId, ownerId: this.owner.id, isPrivate, name, continuedFromId },
      state: kind === 'archived' ? ('ready' as const) : kind,
      archived: kind === 'archived',
      instructions: this.secrets.make('instructions', { isPrivate, scopes: ofThread }),
      model: this.secrets.make('chosen model', { isPrivate, scopes: ofThread }),
      interruptReason: kind === 'interrupted' ? this.secrets.make('reason', { isPrivate, scopes: ofThread }) : null,
      queuedAt: kind === 'waiting' ? now : null,
      ...{ epoch: 2, lastSequence: kind in statusOf ? 8 : 6, createdAt: now, updatedAt: now },
    };
  }

  /** Gives an answer that the question offers. */
  async #addMessages(target: Conversation, isOpen: boolean): Promise<string> {
    const { threadId, isPrivate, questionId, answerId, variantId, lastQuestionId } = target;
    const text = (what: string): ContentBlock => ({ type: 'text', text: this.secrets.make(what, { isPrivate }) });
    const choice = this.secrets.make('choice', { isPrivate });
    const question = this.secrets.make('question', { isPrivate });
    const asks: ContentBlock = { type: 'user_get_choice', toolUseId: 'call', question, choices: [choice] };
    const named: ContentBlock[] = (['image', 'document'] as const).map((type) => ({
      type,
      attachmentId: this.#id('att', isPrivate),
    }));
    const putAside = { active: false, hiddenWithId: variantId };
    const answers = { replyToId: questionId, position: 0 };
    const messages = [
      { id: createId('msg'), sequence: 2, role: 'user', contents: [text('replaced')], active: false },
      { id: createId('msg'), sequence: 3, role: 'summary', contents: [text('summary')] },
      { id: questionId, sequence: 4, role: 'user', contents: [text('asked'), ...named], turnId: questionId },
      { id: variantId, sequence: 5, role: 'user', contents: [text('put aside')], turnId: questionId, ...putAside },
      { id: answerId, sequence: 6, role: 'assistant', contents: [text('said'), asks], ...answers },
      ...(isOpen ? [{ id: lastQuestionId, sequence: 8, role: 'user', contents: [text('last')] } as const] : []),
    ] as const;
    await this.service.database.message.createMany({
      data: messages.map(({ contents, ...message }) => ({
        ...{ ...message, threadId, createdAt: new Date() },
        contents: contents.map((block) => ({ ...block })),
      })),
    });
    const thought = this.secrets.make('reasoning', { isPrivate });
    await this.service.database.messageReasoning.create({ data: { messageId: answerId, text: thought } });
    return choice;
  }

  async #addResponses({ kind, isPrivate, threadId, questionId, lastQuestionId }: Conversation) {
    const { database } = this.service;
    const now = new Date();
    const model = this.secrets.make('model', { isPrivate });
    const response = { threadId, epoch: 2, createdAt: now, attempt: 1, model, inputTokens: 3, outputTokens: 5 };
    const ended = { startedAt: now, firstTokenAt: now, finishedAt: now };
    const succeeded = { ...response, messageId: questionId, status: 'succeeded', ...ended } as const;
    if (!(kind in statusOf)) {
      await database.response.create({ data: succeeded });
      return;
    }
    const status = statusOf[kind as keyof typeof statusOf];
    const isOver = status === 'failed' || status === 'interrupted';
    const leaseUntil = status === 'running' ? new Date(now.getTime() + 3_600_000) : null;
    const errorCode = isOver ? this.secrets.make('code', { isPrivate }) : null;
    const errorMessage = isOver ? this.secrets.make('failure', { isPrivate }) : null;
    const last = { messageId: lastQuestionId, status, finishedAt: isOver ? now : null, leaseUntil };
    await database.response.createMany({ data: [succeeded, { ...response, ...last, errorCode, errorMessage }] });
    // Text so far of the worker of another process.
    const chunks = (['thinking', 'text'] as const).map((chunk, seq) => {
      const body = this.secrets.make(chunk, { isPrivate });
      return { responseId: lastQuestionId, epoch: 2, seq, kind: chunk, body };
    });
    if (status === 'running') await database.tokenChunk.createMany({ data: chunks });
  }

  /** Gives a file of conversations that the owner has uploaded besides. */
  async #addBelongings({ kind, isPrivate, threadId, questionId, answerId }: Conversation): Promise<string> {
    const { database } = this.service;
    const ownerId = this.owner.id;
    const now = new Date();
    const file = {
      ...{ id: createId('att'), ownerId, mediaType: 'text/plain', size: 3, createdAt: now, uploadedAt: now },
      ...{ content: Buffer.from('Tea'), digest: Buffer.alloc(32) },
    };
    const sent = {
      ...file,
      id: this.#id('att', isPrivate),
      messageId: questionId,
      name: this.secrets.make('file', { isPrivate }),
    };
    const upload = this.#upload();
    await database.attachment.createMany({ data: [sent, upload] });
    this.#uploads.push(upload.id);
    if (this.#uploads.length > mostUploads)
      await database.attachment.deleteMany({ where: { id: { in: this.#uploads.splice(0, mostUploads / 2) } } });
    if (kind === 'archived') await database.threadPin.create({ data: { threadId, userId: ownerId, pinnedAt: now } });
    const text = this.secrets.make('feedback');
    const feedback = { messageId: answerId, userId: ownerId, positive: true, text, createdAt: now, updatedAt: now };
    await database.feedback.create({ data: feedback });
    return upload.id;
  }

  async #addToken(): Promise<string> {
    const id = createId('tok');
    const name = this.secrets.make('token', { scopes: ['me:read'] });
    const token = { id, userId: this.owner.id, name, digest: Buffer.from(id), lastFour: 'four', scopes: ['me:read'] };
    await this.service.database.accessToken.create({ data: token });
    return id;
  }

  async #addSession(): Promise<string> {
    const id = createId('ses');
    // No token may know of it, whatever its scopes.
    const userAgent = this.secrets.make('browser', { scopes: [] });
    const session = { id, userId: this.owner.id, userAgent, token: sessionDigest(id) };
    const expiresAt = new Date(Date.now() + 3_600_000);
    await this.service.database.session.create({ data: { ...session, expiresAt } });
    return id;
  }

  #upload() {
    const id = createId('att');
    const messages = [{ isCreatedByUser: true, text: this.secrets.make('imported', { scopes: ofThread }) }];
    const content = Buffer.from(JSON.stringify({ conversationId: id, messages }));
    const file = { id, ownerId: this.owner.id, name: 'c.json', mediaType: 'application/json', size: content.length };
    const now = new Date();
    return { ...file, content, digest: Buffer.alloc(32), createdAt: now, uploadedAt: now };
  }
}
