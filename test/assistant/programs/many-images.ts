/** Many responses at once, each with an image, from a model that never answers: `many-images.ts URL COUNT MEBIBYTES`. */
import { createProcessor } from '../../../src/assistant/create-processor.js';
import type { ContentBlock } from '../../../src/modules/messages/content.js';

const [baseUrl = '', count = '', mebibytes = ''] = process.argv.slice(2);
const size = Number(mebibytes) * 2 ** 20;
const read = async (_start: number, length: number) => Buffer.alloc(length, 'x');
const processor = await createProcessor({
  model: 'compatible:test-model',
  baseUrl,
  systemPrompt: '',
  readAttachments: async () => new Map([['att', { name: 'a.png', mediaType: 'image/png', size, read }]]),
});
const contents: ContentBlock[] = [{ type: 'image', attachmentId: 'att' }];
const { signal } = new AbortController();

const answer = () => processor.generate({ conversation: [{ role: 'user', contents }], signal }, () => undefined);

await Promise.all(Array.from({ length: Number(count) }, answer));
