/**
 * Takes files that are dropped or pasted anywhere on the page. Without it, the browser would leave the page to open a dropped
 * file. Text that is pasted with a picture of itself, as word processors do, stays text.
 */
import { useEffect, useState } from 'react';
import { isTextField } from '../../ui/typing.js';

/** Returns whether files are being dragged over the page. `onFiles` must be a stable function. */
export function useFileDrop(onFiles: (files: FileList) => void): boolean {
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
      const { clipboardData: data } = event;
      if (!hasFiles(data) || isDocument(data) || isOtherField(event.target)) return;
      event.preventDefault();
      onFiles(data.files);
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

function isDocument({ types }: DataTransfer): boolean {
  return types.includes('text/plain') && types.includes('text/html');
}
