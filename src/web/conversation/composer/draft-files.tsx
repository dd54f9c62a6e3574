/** The files of a message that is being written. */
import { useRef } from 'react';
import { IconButton } from '../../ui/button.js';
import { Icon } from '../../ui/icon.js';
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
      <IconButton icon="attach" label="Attach images or documents" onClick={() => input.current?.click()} />
    </>
  );
}

export function DraftFiles({ files, onRemove }: { files: DraftFile[]; onRemove: (key: string) => void }) {
  if (files.length === 0) return null;
  return (
    <ul className="draft-files" aria-label="Attached files">
      {files.map(({ key, name, id, problem }) => (
        <li key={key} data-problem={problem !== null}>
          <Icon name={problem ? 'alert' : 'file'} size={16} />
          <bdi>{name}</bdi>
          <span role="status">{problem ?? (id ? '' : 'Uploading…')}</span>
          <IconButton icon="close" small label={`Remove ${name}`} onClick={() => onRemove(key)} />
        </li>
      ))}
    </ul>
  );
}
