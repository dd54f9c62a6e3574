/** The files of a draft. */
import FileText from 'lucide-react/icons/file-text';
import Paperclip from 'lucide-react/icons/paperclip';
import TriangleAlert from 'lucide-react/icons/triangle-alert';
import Close from 'lucide-react/icons/x';
import { useRef } from 'react';
import { maximumAttachments } from '../../../contract.js';
import { defineTexts, listed, useTexts, withValues } from '../../language/texts.js';
import { IconButton } from '../../ui/button.js';
import type { DraftFile } from './draft-attachments.js';
import { acceptedTypes } from './file-types.js';

const texts = defineTexts('conversation/composer/draft-files', {
  choose: 'Files to attach',
  attach: 'Attach images or documents',
  attached: 'Attached files',
  uploading: 'Uploading…',
  remove: withValues('Remove {name}'),
  surplus: withValues('Not attached, since a message has at most {maximum} files:'),
  drop: 'Drop files to attach them',
});

export function AttachButton({ onChoose }: { onChoose: (files: Iterable<File>) => void }) {
  const t = useTexts(texts);
  const input = useRef<HTMLInputElement>(null);
  return (
    <>
      <input
        ref={input}
        type="file"
        multiple
        hidden
        accept={acceptedTypes}
        aria-label={t.choose}
        onChange={({ target }) => {
          onChoose([...(target.files ?? [])]);
          target.value = '';
        }}
      />
      <IconButton icon={Paperclip} label={t.attach} onClick={() => input.current?.click()} />
    </>
  );
}

export function DraftFiles({ files, onRemove }: { files: readonly DraftFile[]; onRemove: (key: string) => void }) {
  const t = useTexts(texts);
  if (files.length === 0) return null;
  return (
    <ul className="draft-files" aria-label={t.attached}>
      {files.map((file) => (
        <li key={file.key} data-problem={file.problem !== null}>
          <Picture file={file} />
          <bdi className="one-line" title={file.name}>
            {file.name}
          </bdi>
          <span role="status">{file.problem ?? (file.id ? '' : t.uploading)}</span>
          <IconButton icon={Close} small label={t.remove({ name: file.name })} onClick={() => onRemove(file.key)} />
        </li>
      ))}
    </ul>
  );
}

/** The image itself as soon as it is uploaded: the Content-Security-Policy allows no images that only the page has. */
function Picture({ file: { id, mediaType, problem } }: { file: DraftFile }) {
  if (problem) return <TriangleAlert />;
  if (!id || !mediaType.startsWith('image/')) return <FileText />;
  return <img src={`/attachments/${id}`} alt="" className="draft-picture" />;
}

/** Says which files found no room in the message. */
export function SurplusFiles({ names }: { names: readonly string[] }) {
  const t = useTexts(texts);
  if (names.length === 0) return null;
  return (
    <p className="notice notice-danger" role="alert">
      {t.surplus({ maximum: maximumAttachments })} <bdi>{listed(names)}</bdi>
    </p>
  );
}

/** Covers the page while files are dragged over it. */
export function DropArea() {
  return (
    <div className="drop-area">
      <p>{useTexts(texts).drop}</p>
    </div>
  );
}
