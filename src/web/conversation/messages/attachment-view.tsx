/** An attachment. Images are displayed, other files can be downloaded. */
import FileText from 'lucide-react/icons/file-text';
import type { Attachment } from '../../api/types.js';
import { displayName } from '../../ui/display-name.js';

export function AttachmentView({ attachment }: { attachment: Attachment | undefined }) {
  if (!attachment) return <p className="file">This file is no longer available.</p>;
  const { id, mediaType, size } = attachment;
  const name = displayName(attachment.name, 'File');
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

function sizeInWords(bytes: number): string {
  if (bytes < 1000) return `${bytes} B`;
  return bytes < 1_000_000 ? `${Math.round(bytes / 1000)} kB` : `${(bytes / 1_000_000).toFixed(1)} MB`;
}
