/** Bounds of what is imported from another service, for the service, the command line and the web application. */
export const importLimits = {
  /** Bytes of the JSON of all conversations of an export, unpacked. */
  exportBytes: 4 * 1024 ** 3,
  /** Bytes of the JSON of one conversation. */
  conversationBytes: 8 * 1024 ** 2,
  /** Values in the JSON of one conversation, which take many times their bytes in memory. */
  values: 200_000,
  /** Levels of its nesting: some exports put each message inside of the one before it. */
  depth: 10_000,
  /** Messages that are kept of a conversation, and their characters (UTF-16 units) together: one statement stores them. */
  messages: 2_000,
  characters: 1_000_000,
  /** Of what is imported at once. A conversation that is larger is imported alone. */
  batchBytes: 900 * 1024,
  batchConversations: 100,
} as const;

/** Why a conversation is left out. */
export const importRefusals = ['malformed', 'too_large', 'empty'] as const;
export type ImportRefusal = (typeof importRefusals)[number];

/** What is left out of a conversation that is imported. */
export const importOmissions = ['branch', 'system', 'tool', 'reasoning', 'file', 'empty', 'too_long'] as const;
export type ImportOmission = (typeof importOmissions)[number];
