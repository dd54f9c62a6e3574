/** The files of a draft. */
import FileText from 'lucide-react/icons/file-text';
import Paperclip from 'lucide-react/icons/paperclip';
import TriangleAlert from 'lucide-react/icons/triangle-alert';
import Close from 'lucide-react/icons/x';
import { useRef } from 'react';
import { IconButton } from '../../ui/button.js';
import { acceptedTypes, type DraftFile } from './use-attachments.js';

export function AttachButton({ onChoose }: { onChoose: (files: Iterable<File>) => void }) {
  const input = useRef<HTMLInputElement>(null);
  return (
    <>
      <input
        ref={input}
        type="file"
        multiple
        hidden
        accept={acceptedTypes}
        aria-label="Files to attach"
        onChange={({ target }) => {
          onChoose([...(target.files ?? [])]);
          target.value = '';
        }}
      />
      <IconButton icon={Paperclip} label="Attach images or documents" onClick={() => input.current?.click()} />
    </>
  );
}

export function DraftFiles({ files, onRemove }: { files: DraftFile[]; onRemove: (key: string) => void }) {
  if (files.length === 0) return null;
  return (
    <ul className="draft-files" aria-label="Attached files">
      {files.map(({ key, name, id, problem }) => (
        <li key={key} data-problem={problem !== null}>
          {problem ? <TriangleAlert /> : <FileText />}
          <bdi>{name}</bdi>
          <span role="status">{problem ?? (id ? '' : 'Uploading…')}</span>
          <IconButton icon={Close} small label={`Remove ${name}`} onClick={() => onRemove(key)} />
        </li>
      ))}
    </ul>
  );
}
