/** Announces a file to the service and uploads its content; loaded with the first file. */
import { deliberateHeaders, runMutation } from '../../api/client.js';
import { uploadMutation } from '../../api/posting-documents.js';
import { defineTexts } from '../../language/texts.js';
import { cutOff, mediaTypeOf } from './file-types.js';

const texts = defineTexts('conversation/composer/upload-file', {
  mediaType: 'This file type is not supported. Attach an image, PDF, text, Markdown, CSV or JSON file.',
  empty: 'The file is empty.',
  large: 'The file is larger than 10 MB. Attach a smaller file.',
  unreadable: 'This is a folder, or a file that cannot be read. Attach files that are still in their place.',
  misfit: 'The content of the file does not match its type. Text files must be encoded as UTF-8.',
});

/** Messages for refused files, by the input field that the service names. */
const refusals: Record<string, (file: File) => string> = {
  mediaType: () => texts.get().mediaType,
  size: ({ size }) => (size === 0 ? texts.get().empty : texts.get().large),
};

/** Fewer than the connections that a browser opens to a host, and than the large files of one user that the service takes. */
const atATime = 3;
const waiting: (() => void)[] = [];
let running = 0;

/** The ID of the attachment, or the reason why it is refused. */
export async function uploadFile(file: File): Promise<{ id: string } | { problem: string }> {
  if (!(await isReadable(file))) return { problem: texts.get().unreadable };
  if (running < atATime) running += 1;
  else await new Promise<void>((resolve) => waiting.push(resolve));
  try {
    return await announceAndSend(file);
  } finally {
    const next = waiting.shift();
    if (next) next();
    else running -= 1;
  }
}

async function announceAndSend(file: File): Promise<{ id: string } | { problem: string }> {
  const mediaType = mediaTypeOf(file);
  const announced = await runMutation(uploadMutation, { input: { name: file.name, mediaType, size: file.size } });
  if (!announced.ok && announced.code === 'UNREACHABLE') return { problem: cutOff() };
  if (!announced.ok) return { problem: refusals[announced.problems[0]?.field ?? '']?.(file) ?? announced.message };
  const { uploadUrl, attachment } = announced.value;
  // The URL has the public origin of the service, which may differ from the origin of this page.
  const { pathname, search } = new URL(uploadUrl, location.href);
  const sent = await fetch(pathname + search, {
    method: 'PUT',
    headers: { ...deliberateHeaders, 'Content-Type': mediaType },
    body: file,
  }).catch(() => null);
  if (sent?.ok) return { id: attachment.id };
  return { problem: sent?.status === 400 ? texts.get().misfit : cutOff() };
}

/** Browsers give a dropped folder like a file. */
async function isReadable(file: File): Promise<boolean> {
  return file
    .slice(0, 1)
    .arrayBuffer()
    .then(
      () => true,
      () => false,
    );
}
