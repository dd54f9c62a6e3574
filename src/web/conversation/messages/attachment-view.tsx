/** An attachment. Images are displayed, other files can be downloaded. */
import FileText from 'lucide-react/icons/file-text';
import type { Attachment } from '../../api/types.js';
import { formatIn } from '../../language/formats.js';
import { defineTexts, useTexts } from '../../language/texts.js';
import { displayName } from '../../ui/display-name.js';

const texts = defineTexts('conversation/messages/attachment-view', {
  gone: 'This file is no longer available.',
  file: 'File',
});

export function AttachmentView({ attachment }: { attachment: Attachment | undefined }) {
  const t = useTexts(texts);
  if (!attachment) return <p className="file">{t.gone}</p>;
  const { id, mediaType, size } = attachment;
  const name = displayName(attachment.name, t.file);
  const url = `/attachments/${id}`;
  if (mediaType.startsWith('image/')) {
    return (
      <a href={url} target="_blank" rel="noopener" className="picture">
        <img src={url} alt={name} loading="lazy" />
      </a>
    );
  }
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
