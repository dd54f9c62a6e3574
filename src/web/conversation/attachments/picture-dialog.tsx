/** A picture of a message as large as the window has room for, and the way to the others beside it. */
import ChevronLeft from 'lucide-react/icons/chevron-left';
import ChevronRight from 'lucide-react/icons/chevron-right';
import { useState } from 'react';
import type { Attachment } from '../../api/types.js';
import { defineTexts, useTexts, withValues } from '../../language/texts.js';
import { IconButton } from '../../ui/button.js';
import { CloseButton } from '../../ui/common-buttons.js';
import { Dialog } from '../../ui/dialog.js';
import './picture-dialog.css';

const texts = defineTexts('conversation/attachments/picture-dialog', {
  previous: 'Previous picture',
  next: 'Next picture',
  position: withValues('{position} of {count}'),
  original: 'Original',
});

export interface ShownFile extends Attachment {
  url: string;
}

export interface PictureDialogProps {
  pictures: readonly ShownFile[];
  /** The ID of the one that is shown first. */
  first: string;
  onClose: () => void;
}

export default function PictureDialog({ pictures, first, onClose }: PictureDialogProps) {
  const t = useTexts(texts);
  const [at, setAt] = useState(pictures.findIndex(({ id }) => id === first));
  const picture = pictures[at];
  const { length: count } = pictures;
  const go = (by: number) => () => setAt((at + by + count) % count);
  if (!picture) return null;
  return (
    <Dialog title={picture.name} onClose={onClose} className="picture-dialog" isDismissible>
      <img key={picture.id} src={picture.url} alt={picture.name} />
      <div className="buttons buttons-end">
        {count > 1 && (
          <div className="picture-turn">
            <IconButton icon={ChevronLeft} label={t.previous} onClick={go(-1)} />
            <span role="status">{t.position({ position: at + 1, count })}</span>
            <IconButton icon={ChevronRight} label={t.next} onClick={go(1)} />
          </div>
        )}
        <a href={picture.url} target="_blank" rel="noopener" className="button button-quiet">
          {t.original}
        </a>
        <CloseButton onClick={onClose} />
      </div>
    </Dialog>
  );
}
