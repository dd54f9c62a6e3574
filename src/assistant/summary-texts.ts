/** The instructions to a model that summarizes or names a conversation. */
export const summaryInstruction = [
  'You shorten conversations between a user and an assistant, so that the assistant can go on with the summary alone.',
  'Keep what the user wants, the facts, names, numbers and decisions, what was tried, and what is still open.',
  'Write in the language of the conversation. Do not answer the user and do not add anything of your own.',
].join('\n');

export const summaryRequest =
  'Summarize the conversation so far, for your own later use. Reply with the summary alone.';

export const nameInstruction = [
  'You name conversations between a user and an assistant, so that the user finds them again in a list.',
  'A name has two to six words in the language of the conversation, and says what it is about.',
  'Do not answer the user. Reply with the name alone, without quotes and without a full stop.',
].join('\n');

export const nameRequest = 'Name this conversation.';
