/** What the documents of the application select, as `schema.graphql` types it. */

export type ThreadState = 'READY' | 'WAITING' | 'ACTIVE' | 'ERROR' | 'INTERRUPTED';
export type Role = 'ADMIN' | 'MEMBER';
export type Scope = 'ME_READ' | 'THREADS_READ' | 'THREADS_WRITE' | 'FEEDBACK_WRITE' | 'TOKENS_WRITE';

export interface Identity {
  sub: string;
  name: string | null;
  email: string | null;
  role: Role;
  organizationSlug: string;
}

export interface Thread {
  id: string;
  name: string | null;
  state: ThreadState;
  isPrivate: boolean;
  archived: boolean;
  interruptReason: string | null;
  createdAt: string;
  updatedAt: string;
  owner: { id: string; name: string | null };
}

export interface ThreadLink {
  id: string;
  name: string | null;
}

export interface Attachment {
  id: string;
  name: string;
  mediaType: string;
  size: number;
}

export interface Choice {
  __typename: 'UserGetChoiceBlock';
  toolUseId: string;
  question: string;
  choices: string[];
}

export type ContentBlock =
  | { __typename: 'TextBlock'; text: string }
  | { __typename: 'ImageBlock' | 'DocumentBlock'; attachmentId: string }
  | Choice;

export interface Feedback {
  positive: boolean;
  text: string | null;
}

export interface ResponseOutcome {
  __typename: 'ResponseComplete' | 'ResponseFailed' | 'ResponseInterrupted' | 'ResponseProcessing';
  /** Of one that failed or was interrupted. */
  message?: string;
}

export interface Message {
  id: string;
  role: 'USER' | 'ASSISTANT' | 'SUMMARY';
  active: boolean;
  createdAt: string;
  replyToId: string | null;
  contents: ContentBlock[];
  attachments: Attachment[];
  myFeedback: Feedback | null;
  response: ResponseOutcome | null;
}

export interface Page<Node> {
  edges: { cursor: string; node: Node }[];
  pageInfo: { hasNextPage: boolean; endCursor: string | null };
}

export interface ThreadFilter {
  q?: string;
  owned?: boolean;
  private?: boolean;
  onlyArchived?: boolean;
}

export interface AccessToken {
  id: string;
  name: string;
  scopes: Scope[];
  lastFour: string;
  createdAt: string;
  expiresAt: string | null;
  lastUsedAt: string | null;
  revokedAt: string | null;
}

export interface Member {
  id: string;
  name: string | null;
  email: string;
  role: Role;
  createdAt: string;
}

/** A browser in which the viewer is signed in. */
export interface BrowserSession {
  id: string;
  userAgent: string | null;
  createdAt: string;
  lastUsedAt: string;
  isCurrent: boolean;
}

/** A refusal that was expected: one of the types with the interface `Error`. */
export interface Refusal {
  __typename: `${string}Error`;
  code: string;
  message: string;
  problems?: { field: string; message: string }[];
  state?: ThreadState;
}
