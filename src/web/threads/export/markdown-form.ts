/**
 * A thread as Markdown. The texts of messages are Markdown and stay as they are, but a fence of code that an answer left open
 * is closed, since it would swallow all that follows. Names are text, so nothing in them is formatted.
 */
import type { ContentBlock, Message } from '../../api/types.js';
import { defineTexts, withValues } from '../../language/texts.js';
import { cleanText, displayName, threadTitle } from '../../ui/display-name.js';
import type { FileForm, InstructedThread } from './file-form.js';

const texts = defineTexts('threads/export/markdown-form', {
  USER: 'User',
  ASSISTANT: 'Assistant',
  SUMMARY: 'Summary',
  tags: withValues('Tags: {tags}'),
  instructions: 'Instructions',
  stopped: 'Stopped before its end.',
  cut: 'Cut at the maximum length.',
  file: withValues('File: {name}'),
  nameless: 'without a name',
});

export const markdownForm: FileForm = {
  ending: 'md',
  type: 'text/markdown',
  start: titleOf,
  message: markdownOf,
  end: '',
};

function titleOf(thread: InstructedThread): string {
  const t = texts.get();
  const { instructions, tags } = thread;
  const filed = tags.length === 0 ? '' : `\n${t.tags({ tags: tags.map(plain).join(', ') })}\n`;
  const told = instructions === null ? '' : `\n## ${t.instructions}\n\n${withFencesClosed(instructions)}\n`;
  return `# ${plain(threadTitle(thread))}\n${filed}${told}`;
}

function markdownOf(message: Message): string {
  const t = texts.get();
  const { role, author, createdAt, contents, stopReason, isTruncated } = message;
  const name = plain(displayName(author?.name, t[role]));
  const blocks = contents.map((block) => blockOf(block, message));
  if (stopReason !== null) blocks.push(`*${t.stopped}*`);
  else if (isTruncated) blocks.push(`*${t.cut}*`);
  return `\n## ${name}, ${timeOf(createdAt)}\n\n${blocks.join('\n\n')}\n`;
}

function blockOf(block: ContentBlock, { attachments }: Message): string {
  switch (block.__typename) {
    case 'TextBlock':
      return withFencesClosed(block.text);
    case 'UserGetChoiceBlock':
      return [plain(block.question), '', ...block.choices.map((choice) => `- ${plain(choice)}`)].join('\n');
    default: {
      const file = attachments.find(({ id }) => id === block.attachmentId);
      const { file: text, nameless } = texts.get();
      return `*${text({ name: plain(displayName(file?.name, nameless)) })}*`;
    }
  }
}

/** In UTC, because the file may be read anywhere. */
function timeOf(at: string): string {
  return `${at.slice(0, 10)} ${at.slice(11, 16)} UTC`;
}

function plain(text: string): string {
  return cleanText(text.replace(/\s+/g, ' ')).replace(/[\\`*_[\]<>#|~&$]/g, '\\$&');
}

function withFencesClosed(text: string): string {
  let open: string | null = null;
  for (const line of text.split('\n')) {
    const [, fence = '', rest = ''] = /^ {0,3}(`{3,}|~{3,})(.*)$/.exec(line) ?? [];
    if (!fence) continue;
    if (open === null) open = fence;
    else if (fence.startsWith(open) && rest.trim() === '') open = null;
  }
  return open === null ? text : `${text}\n${open}`;
}
