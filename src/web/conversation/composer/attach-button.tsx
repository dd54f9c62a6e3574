/** Chooses files to attach. */
import Paperclip from 'lucide-react/icons/paperclip';
import { useRef } from 'react';
import { defineTexts, useTexts } from '../../language/texts.js';
import { IconButton } from '../../ui/button.js';
import { acceptedTypes } from './file-types.js';

const texts = defineTexts('conversation/composer/attach-button', {
  choose: 'Files to attach',
  attach: 'Attach images or documents',
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
