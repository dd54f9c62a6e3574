/**
 * Takes files that are dropped or pasted anywhere on the page. Without it, the browser would leave the page to open a dropped
 * file. Text that is pasted with a picture of itself, as word processors do, stays text. A text that is too long for a message would
 * make the field stand still for seconds, and could not be sent: it becomes a file.
 */
import { useEffect, useState } from 'react';
import { tooLong } from '../../ui/too-long.js';
import { isTextField } from '../../ui/typing.js';

/** Returns whether files are being dragged over the page. `onFiles` must be a stable function. */
export function useFileDrop(onFiles: (files: Iterable<File>) => void): boolean {
  const [isOver, setOver] = useState(false);
  useEffect(() => {
    const listening = new AbortController();
    const { signal } = listening;
    const over = (event: DragEvent) => {
      // A dialog covers the composer.
      if (!hasFiles(event.dataTransfer) || isInDialog()) return;
      event.preventDefault();
      event.dataTransfer.dropEffect = 'copy';
      setOver(true);
    };
    const leave = ({ relatedTarget }: DragEvent) => relatedTarget === null && setOver(false);
    const drop = (event: DragEvent) => {
      setOver(false);
      const { dataTransfer } = event;
      if (!hasFiles(dataTransfer)) return;
      event.preventDefault();
      if (!isInDialog()) onFiles(dataTransfer.files);
    };
    const paste = (event: ClipboardEvent) => {
      const files = filesIn(event.clipboardData);
      if (files.length === 0 || isOtherField(event.target)) return;
      event.preventDefault();
      onFiles(files);
    };
    addEventListener('dragenter', over, { signal });
    addEventListener('dragover', over, { signal });
    addEventListener('dragleave', leave, { signal });
    addEventListener('drop', drop, { signal });
    addEventListener('paste', paste, { signal });
    return () => listening.abort();
  }, [onFiles]);
  return isOver;
}

function isInDialog(): boolean {
  return document.querySelector('[role=dialog]') !== null;
}

function hasFiles(data: DataTransfer | null): data is DataTransfer {
  return data?.types.includes('Files') ?? false;
}

/** Other fields than the one of the message, which take no files. */
function isOtherField(target: EventTarget | null): boolean {
  return isTextField(target) && !target.matches('.composer textarea');
}

function filesIn(data: DataTransfer | null): ArrayLike<File> & Iterable<File> {
  const text = data?.getData('text/plain') ?? '';
  if (tooLong(text, 'message')) return [new File([text], 'text.txt', { type: 'text/plain' })];
  const isDocument = text && data?.types.includes('text/html');
  return isDocument || !data ? [] : data.files;
}
