/** Attachments in the prompt: what the model gets of them, and what becomes of a model that does not take them. */
import { describe, expect } from 'vitest';
import {
  type AttachedFile,
  type ReadAttachments,
  textOfDocument,
} from '../../../src/assistant/files/attached-files.js';
import { toModelMessages } from '../../../src/assistant/prompt.js';
import type { ContentBlock } from '../../../src/modules/messages/content.js';
import type { ConversationMessage } from '../../../src/modules/responses/generation/processor.js';
import { httpError, text } from '../../support/model/model-script.js';
import { assistant, it, listen, processorAt, question } from '../listening.js';

/** A file of which a piece at a time is read. */
const bytes = (content: Buffer) => ({
  size: content.length,
  read: async (start: number, length: number) => content.subarray(start, start + length),
});
const imageContent = Buffer.from('pixels');
const pdfContent = Buffer.from('%PDF-');
const image: AttachedFile = { name: 'a.png', mediaType: 'image/png', ...bytes(imageContent) };
const pdf: AttachedFile = { name: 'a.pdf', mediaType: 'application/pdf', ...bytes(pdfContent) };
const notes: AttachedFile = {
  name: 'notes.md',
  mediaType: 'text/markdown',
  size: 9,
  beginning: Buffer.from('# Tea 🍵'),
};
const files = new Map<string, AttachedFile>([
  ['att_image', image],
  ['att_pdf', pdf],
  ['att_notes', notes],
]);
const inPrompt = new Map([['att_image', { name: 'a.png', mediaType: 'image/png', data: 'cGl4ZWxz' }]]);

const show = (...blocks: ContentBlock[]): ConversationMessage => ({
  role: 'user',
  contents: [{ type: 'text', text: 'Look' }, ...blocks],
});
const imageBlock: ContentBlock = { type: 'image', attachmentId: 'att_image' };
const documentBlock = (attachmentId: string): ContentBlock => ({ type: 'document', attachmentId });
const note = '[Attached image; its content is not part of this conversation.]';

/** Reads what there is, and keeps for which ids it was asked. */
function reader(known: ReadonlyMap<string, AttachedFile> = files): ReadAttachments & { asked: string[][] } {
  const asked: string[][] = [];
  const read = async (ids: readonly string[]) => {
    asked.push([...ids]);
    return known;
  };
  return Object.assign(read, { asked });
}

describe('an attachment', () => {
  it('reaches the model with its bytes: an image as an image, PDF as a file, text as text', async ({ server }) => {
    const readAttachments = reader();
    const message = show(imageBlock, documentBlock('att_pdf'), documentBlock('att_notes'));
    await listen(processorAt(server, { readAttachments }), [message]);
    const base64 = (content: Buffer) => content.toString('base64');
    expect(server.lastRequest.body.messages).toEqual([
      {
        role: 'user',
        content: [
          { type: 'text', text: 'Look' },
          { type: 'image_url', image_url: { url: `data:image/png;base64,${base64(imageContent)}` } },
          { type: 'file', file: { filename: 'a.pdf', file_data: `data:application/pdf;base64,${base64(pdfContent)}` } },
          { type: 'text', text: 'Attached document "notes.md":\n\n# Tea 🍵' },
        ],
      },
    ]);
    expect(readAttachments.asked).toEqual([['att_image', 'att_pdf', 'att_notes']]);
  });

  it('that is unavailable is replaced by a note, next to one that is available', () => {
    const [message] = toModelMessages([show(imageBlock, documentBlock('att_gone'))], 'text', inPrompt);
    expect(message?.content).toEqual([
      { type: 'text', text: 'Look\n\n[Attached document; its content is not part of this conversation.]' },
      { type: 'file', data: 'cGl4ZWxz', mediaType: 'image/png' },
    ]);
  });

  it('of an answer to a question follows the tool result', () => {
    const tea = question('call_tea', 'Which?', 'Tea', 'Coffee');
    const messages = toModelMessages([assistant('', tea), show(imageBlock)], 'tool-calls', inPrompt);
    expect(messages.map(({ role }) => role)).toEqual(['assistant', 'tool', 'user']);
    expect(messages[2]?.content).toEqual([{ type: 'file', data: 'cGl4ZWxz', mediaType: 'image/png' }]);
  });

  it('that is a long text is truncated at a character boundary', () => {
    const said = textOfDocument(Buffer.from(`${'a'.repeat(99_999)}😀 and more`));
    expect(said.isWellFormed()).toBe(true);
    expect(said).toContain('[The rest is left out.]');
    expect(said.length).toBeLessThan(100_200);
  });
});

describe('a model that refuses attachments', () => {
  it('gets the request again with a note in their place', async ({ server }) => {
    server.enqueue([httpError(400, { message: 'This model does not support image input.' })], [text('I see nothing.')]);
    const heard = await listen(processorAt(server, { readAttachments: reader() }), [show(imageBlock)]);
    expect(heard).toMatchObject({ text: 'I see nothing.', error: undefined });
    expect(server.requests).toHaveLength(2);
    expect(server.lastRequest.body.messages).toEqual([{ role: 'user', content: `Look\n\n${note}` }]);
    expect(server.lastRequest.body.tools).toHaveLength(1);
  });

  it.for([
    'Could not process image',
    'You uploaded an unsupported image. Please make sure your image has of one the following formats: png, jpeg.',
    'failed to decode image',
    'invalid image input',
    'Failed to load image or audio file',
    'Unable to process input image. Please retry or report.',
    'messages.0.content.0.image.source.base64: image exceeds 5 MB maximum: 5242900 bytes > 5242880 bytes',
    'The image was specified using the image/png media type, but the image appears to be a image/jpeg image',
    'cannot identify image file',
  ])('for what one of them is gets the next one again: %s', async (message, { server }) => {
    const processor = processorAt(server, { readAttachments: reader() });
    server.enqueue([httpError(400, { message })], [text('I see nothing.')], [text('A cup.')]);
    expect((await listen(processor, [show(imageBlock)])).text).toBe('I see nothing.');
    expect(server.lastRequest.body.messages).toEqual([{ role: 'user', content: `Look\n\n${note}` }]);
    expect((await listen(processor, [show(imageBlock)])).text).toBe('A cup.');
  });

  it.for([
    [400, 'This model does not support image input.'],
    [400, 'Invalid content type. image_url is only supported by certain models.'],
    [400, 'unknown variant `image_url`, expected `text`'],
    [400, 'At most 0 image(s) may be provided in one prompt.'],
    [404, 'No endpoints found that support image input'],
    [500, 'image input is not supported - hint: if this is unexpected, you may need to provide the mmproj'],
    [500, "Only 'text' content type is supported."],
  ] as const)('at all gets none later: %i %s', async ([status, message], { server }) => {
    const processor = processorAt(server, { readAttachments: reader() });
    await listen(processor, 'Hi');
    server.enqueue([httpError(status, { message })]);
    for (const requests of [3, 4]) {
      expect((await listen(processor, [show(imageBlock)])).error).toBeUndefined();
      expect(server.requests).toHaveLength(requests);
    }
  });

  it('beyond a number gets the newest ones', async ({ server }) => {
    const refusal = { message: 'At most 1 image(s) may be provided in one request.' };
    server.enqueue([httpError(400, refusal)], [text('A cup.')]);
    const readAttachments = async () => new Map([['att_old', image], ...files]);
    const older: ContentBlock = { type: 'image', attachmentId: 'att_old' };
    await listen(processorAt(server, { readAttachments }), [show(older), assistant('I do.'), show(imageBlock)]);
    const [first, , last] = server.lastRequest.body.messages;
    expect(first?.content).toBe(`Look\n\n${note}`);
    expect(last?.content).toMatchObject([{ text: 'Look' }, { type: 'image_url' }]);
  });

  it('and tools gets the request without either', async ({ server }) => {
    const refusal = (message: string) => [httpError(400, { message })];
    server.enqueue(refusal('tools are not supported'), refusal('image_url is not supported'), [text('Hi')]);
    const heard = await listen(processorAt(server, { readAttachments: reader() }), [show(imageBlock)]);
    expect(heard).toMatchObject({ text: 'Hi', error: undefined });
    expect(server.lastRequest.body.tools).toBeUndefined();
  });

  it('and everything else fails permanently', async ({ server }) => {
    const refusal = [httpError(400, { message: 'No.' })];
    server.enqueue(refusal, refusal, refusal);
    const heard = await listen(processorAt(server, { readAttachments: reader() }), [show(imageBlock)]);
    expect(heard.error?.code).toBe('model_rejected_request');
    expect(server.requests).toHaveLength(2);
  });
});

describe('a conversation', () => {
  it('without attachments reads none', async ({ server }) => {
    const readAttachments = reader();
    await listen(processorAt(server, { readAttachments }), 'Hi');
    expect(readAttachments.asked).toEqual([]);
  });

  it('whose attachments are temporarily unreadable is retried', async ({ server }) => {
    const readAttachments = () => Promise.reject(new Error('The database is away.'));
    const { error } = await listen(processorAt(server, { readAttachments }), [show(imageBlock)]);
    expect(error).toMatchObject({ code: 'model_failed', retryable: true });
    expect(server.requests).toEqual([]);
  });
});
