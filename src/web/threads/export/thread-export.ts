/**
 * Saves a thread as a file, with the messages of its active branch, those that a summary replaced among them. They are fetched
 * page by page, and each page becomes a blob, which the browser may keep outside of memory.
 */
import { runQuery } from '../../api/client.js';
import { instructionsQuery } from '../../api/late/instructions-documents.js';
import { messagesQuery } from '../../api/message-documents.js';
import type { Message, Thread } from '../../api/types.js';
import { defineTexts } from '../../language/texts.js';
import { threadTitle } from '../../ui/display-name.js';
import { saveFile } from '../../ui/save-file.js';
import type { FileForm } from './file-form.js';
import { safeFileName } from './file-name.js';
import { jsonForm } from './json-form.js';
import { markdownForm } from './markdown-form.js';

const texts = defineTexts('threads/export/thread-export', { tooLong: 'This thread is too long for one file.' });

export type ExportForm = 'markdown' | 'json';

const pageSize = 100;
const mostMessages = 100_000;
const forms: Record<ExportForm, FileForm> = { markdown: markdownForm, json: jsonForm };

/** Returns null when the file was handed to the browser, else why it was not. */
export async function exportThread(thread: Thread, form: ExportForm): Promise<string | null> {
  const { ending, type, start, message, end } = forms[form];
  const told = await runQuery(instructionsQuery, { id: thread.id });
  if (!told.ok) return told.message;
  const { instructions } = told.value.thread;
  const parts: Blob[] = [];
  let count = 0;
  for await (const page of pagesOf(thread.id)) {
    if (typeof page === 'string') return page;
    parts.push(new Blob(page.map((one, index) => message(one, count + index === 0))));
    count += page.length;
    if (count > mostMessages) return texts.get().tooLong;
  }
  saveFile(
    safeFileName(threadTitle(thread), ending),
    new Blob([start({ ...thread, instructions }), ...parts, end], { type }),
  );
  return null;
}

/** The pages of messages, oldest first. A text in place of a page says why it could not be loaded. */
async function* pagesOf(id: string): AsyncGenerator<Message[] | string> {
  let after: string | null = null;
  for (;;) {
    const outcome = await pageAfter(id, after);
    if (!outcome.ok) return yield outcome.message;
    const { edges, pageInfo } = outcome.value.thread.messages;
    yield edges.map(({ node }) => node);
    after = edges.at(-1)?.cursor ?? null;
    if (!pageInfo.hasNextPage || after === null) return;
  }
}

function pageAfter(id: string, after: string | null) {
  return runQuery(messagesQuery, { id, first: pageSize, after });
}
