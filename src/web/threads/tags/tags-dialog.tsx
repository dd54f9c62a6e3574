/**
 * The tags of a thread of the viewer: removed one by one, and added by writing or from the tags in use. Escape keeps what was
 * chosen in this browser for the next time, and Cancel discards it.
 */
import X from 'lucide-react/icons/x';
import { useId, useRef, useState } from 'react';
import { maximumTags } from '../../../contract.js';
import { runMutation } from '../../api/client.js';
import { tagsInUseQuery, tagsMutation } from '../../api/late/tag-documents.js';
import type { Thread } from '../../api/types.js';
import { useQuery } from '../../api/use-query.js';
import { useEditedText } from '../../conversation/composer/use-edited-text.js';
import { defineTexts, useTexts, withValues } from '../../language/texts.js';
import { Button } from '../../ui/button.js';
import { CancelButton, commonTexts } from '../../ui/common-buttons.js';
import { Dialog } from '../../ui/dialog.js';
import { cleanText } from '../../ui/display-name.js';
import { Form } from '../../ui/field.js';
import { Problem } from '../../ui/problem.js';
import { useOnce } from '../../ui/state/use-once.js';
import { useProblem } from '../../ui/state/use-problem.js';
import { useThreadListStore } from '../store/thread-list-context.js';
import { type ChosenTags, suggestionsFor, withTags } from './chosen-tags.js';
import { TagField } from './tag-field.js';
import './tag-list.css';
import './tags-dialog.css';

const texts = defineTexts('threads/tags/tags-dialog', {
  title: 'Tags',
  hint: withValues('At most {maximum}. Enter or a comma adds one. Everyone who can read the thread can see them.'),
  save: 'Save tags',
  ofThread: 'Tags of the thread',
  removeTag: withValues('Remove {tag}'),
});

export default function TagsDialog({ thread, onClose }: { thread: Thread; onClose: () => void }) {
  const t = useTexts(texts);
  const store = useThreadListStore();
  const { found } = useQuery(tagsInUseQuery, {});
  // None until they are loaded, and where they cannot be: they only help to write.
  const inUse = found?.threadTags ?? [];
  const draft = useEditedText(`${thread.id}.tags`, JSON.stringify(thread.tags));
  const tags = JSON.parse(draft.text) as string[];
  const [problem, setProblem] = useProblem();
  const [written, setWritten] = useState('');
  const { isRunning, once } = useOnce();
  const field = useRef<HTMLInputElement>(null);
  const hint = useId();
  const choose = (chosen: ChosenTags) => {
    draft.write(JSON.stringify(chosen.tags));
    setProblem(chosen.problem);
  };
  const add = (text: string) => {
    const chosen = withTags(tags, text);
    choose(chosen);
    if (chosen.problem === null) setWritten('');
    field.current?.focus();
  };
  const remove = (tag: string) => {
    choose({ tags: tags.filter((other) => other !== tag), problem: null });
    field.current?.focus();
  };
  const close = () => {
    draft.discard();
    onClose();
  };
  const save = async () => {
    const chosen = withTags(tags, written);
    if (chosen.problem !== null) return choose(chosen);
    const outcome = await runMutation(tagsMutation, { id: thread.id, tags: [...chosen.tags] });
    if (!outcome.ok) return setProblem(outcome.message);
    store.put(outcome.value);
    close();
  };
  const suggestions = tags.length < maximumTags ? suggestionsFor(written, { inUse, tags }) : [];
  return (
    <Dialog title={t.title} onClose={onClose}>
      <Form className="dialog-body" onSend={() => once(save)}>
        <p className="field-hint" id={hint}>
          {t.hint({ maximum: maximumTags })}
        </p>
        <TagField {...{ field, hint, written, suggestions }} onWrite={setWritten} onAdd={add} />
        <RemovableTags tags={tags} onRemove={remove} />
        <Problem message={problem} />
        <div className="buttons buttons-end">
          <CancelButton variant="quiet" onClick={close} />
          <Button variant="primary" type="submit" aria-disabled={isRunning}>
            {t.save}
          </Button>
        </div>
      </Form>
    </Dialog>
  );
}

function RemovableTags({ tags, onRemove }: { tags: readonly string[]; onRemove: (tag: string) => void }) {
  const t = useTexts(texts);
  const { remove } = useTexts(commonTexts);
  if (tags.length === 0) return null;
  return (
    <ul className="tag-list" aria-label={t.ofThread}>
      {tags.map((tag) => (
        <li key={tag} className="tag">
          <bdi className="one-line">{cleanText(tag)}</bdi>
          <button type="button" className="tag-remove" onClick={() => onRemove(tag)} title={remove}>
            <X />
            <span className="visually-hidden">{t.removeTag({ tag: cleanText(tag) })}</span>
          </button>
        </li>
      ))}
    </ul>
  );
}
