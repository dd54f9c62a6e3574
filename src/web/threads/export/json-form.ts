/** A thread as JSON. docs/web-application.md describes the form, whose `version` grows when a field changes its meaning. */
import type { Message } from '../../api/types.js';
import type { FileForm } from './file-form.js';

const version = 1;

export const jsonForm: FileForm = {
  ending: 'json',
  type: 'application/json',
  start({ id, title, tags, instructions, isPrivate, createdAt, updatedAt, owner }) {
    const head = {
      format: 'skein-thread',
      version,
      id,
      title,
      tags,
      instructions,
      isPrivate,
      createdAt,
      updatedAt,
      owner,
    };
    return `${JSON.stringify(head).slice(0, -1)},"messages":[\n`;
  },
  message: (message, isFirst) => `${isFirst ? '' : ',\n'}${JSON.stringify(fieldsOf(message))}`,
  end: '\n]}\n',
};

function fieldsOf(message: Message) {
  const { id, role, author, active, createdAt, replyToId, stopReason, isTruncated, contents, attachments } = message;
  const blocks = contents.map(({ __typename: type, ...block }) => ({ type, ...block }));
  return { id, role, author, active, createdAt, replyToId, stopReason, isTruncated, contents: blocks, attachments };
}
