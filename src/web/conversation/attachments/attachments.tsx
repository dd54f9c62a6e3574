/**
 * The attachments of a message. One picture is shown as it is, several are small and square, and each opens
 * large. Other files can be downloaded.
 */
import FileText from 'lucide-react/icons/file-text';
import { type MouseEvent, useState } from 'react';
import type { Attachment, Message } from '../../api/types.js';
import { formatIn } from '../../language/formats.js';
import { defineTexts, useTexts } from '../../language/texts.js';
import { displayName } from '../../ui/display-name.js';
import { late } from '../../ui/state/late-component.js';
import type { ShownFile } from './picture-dialog.js';

const PictureDialog = late(() => import('./picture-dialog.js'));

const texts = defineTexts('conversation/attachments/attachments', {
  gone: 'This file is no longer available.',
  file: 'File',
});

export default function Attachments({ message: { contents, attachments } }: { message: Message }) {
  const t = useTexts(texts);
  const [open, setOpen] = useState<string | null>(null);
  const ids = contents.flatMap((block) => ('attachmentId' in block ? block.attachmentId : []));
  const files = ids.flatMap((id): ShownFile[] => {
    const found = attachments.find((attachment) => attachment.id === id);
    return found ? [{ ...found, name: displayName(found.name, t.file), url: `/attachments/${id}` }] : [];
  });
  const openLarge = (event: MouseEvent, id: string) => {
    // With these keys a link opens in another tab or window.
    if (event.ctrlKey || event.metaKey || event.shiftKey) return;
    event.preventDefault();
    setOpen(id);
  };
  return (
    <div className="attachments">
      {files.map((file) =>
        isPicture(file) ? (
          <a
            key={file.id}
            href={file.url}
            target="_blank"
            rel="noopener"
            className="picture"
            onClick={(event) => openLarge(event, file.id)}
          >
            <img src={file.url} alt={file.name} loading="lazy" />
          </a>
        ) : (
          <FileLink key={file.id} file={file} />
        ),
      )}
      {files.length < ids.length && <p className="file">{t.gone}</p>}
      {open && <PictureDialog pictures={files.filter(isPicture)} first={open} onClose={() => setOpen(null)} />}
    </div>
  );
}

function isPicture({ mediaType }: Attachment): boolean {
  return mediaType.startsWith('image/');
}

function FileLink({ file: { url, name, size } }: { file: ShownFile }) {
  return (
    <a href={url} className="file" download={name}>
      <FileText />
      <bdi>{name}</bdi>
      <span>{sizeInWords(size)}</span>
    </a>
  );
}

const bytes = sizesIn('byte');
const kilobytes = sizesIn('kilobyte');
const megabytes = sizesIn('megabyte', 1);

function sizesIn(unit: string, maximumFractionDigits = 0) {
  // The short form of bytes has no plural.
  const unitDisplay = unit === 'byte' ? 'long' : 'short';
  const format = { style: 'unit', unit, unitDisplay, maximumFractionDigits } as const;
  return formatIn((languages) => new Intl.NumberFormat(languages, format));
}

function sizeInWords(size: number): string {
  if (size < 1000) return bytes().format(size);
  return size < 1_000_000 ? kilobytes().format(size / 1000) : megabytes().format(size / 1_000_000);
}
