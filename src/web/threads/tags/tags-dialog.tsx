/** The tags of a thread of the viewer: removed one by one, and added by writing or from the tags in use. */
import X from 'lucide-react/icons/x';
import { type FormEvent, useEffect, useId, useRef, useState } from 'react';
import { maximumTags } from '../../../contract/tags.js';
import { runMutation, runQuery } from '../../api/client.js';
import { tagsInUseQuery, tagsMutation } from '../../api/late/tag-documents.js';
import type { Thread } from '../../api/types.js';
import { Button } from '../../ui/button.js';
import { Dialog } from '../../ui/dialog.js';
import { cleanText } from '../../ui/display-name.js';
import { Problem } from '../../ui/field.js';
import { useOnce } from '../../ui/state/use-once.js';
import { useThreadListStore } from '../store/thread-list-context.js';
import { suggestionsFor, withTags } from './chosen-tags.js';
import { TagField } from './tag-field.js';
import './tag-list.css';
import './tags-dialog.css';

export default function TagsDialog({ thread, onClose }: { thread: Thread; onClose: () => void }) {
  const store = useThreadListStore();
  const inUse = useTagsInUse();
  const [{ tags, problem }, setChosen] = useState<ReturnType<typeof withTags>>({ tags: thread.tags, problem: null });
  const [written, setWritten] = useState('');
  const { isRunning, once } = useOnce();
  const field = useRef<HTMLInputElement>(null);
  const hint = useId();
  const add = (text: string) => {
    const chosen = withTags(tags, text);
    setChosen(chosen);
    if (chosen.problem === null) setWritten('');
    field.current?.focus();
  };
  const remove = (tag: string) => {
    setChosen({ tags: tags.filter((other) => other !== tag), problem: null });
    field.current?.focus();
  };
  const save = async () => {
    const chosen = withTags(tags, written);
    if (chosen.problem !== null) return setChosen(chosen);
    const outcome = await runMutation(tagsMutation, { id: thread.id, tags: [...chosen.tags] });
    if (!outcome.ok) return setChosen({ tags, problem: outcome.message });
    store.put(outcome.value);
    onClose();
  };
  const submit = (event: FormEvent) => {
    event.preventDefault();
    once(save);
  };
  const suggestions = tags.length < maximumTags ? suggestionsFor(written, { inUse, tags }) : [];
  return (
    <Dialog title="Tags" onClose={onClose}>
      <form onSubmit={submit} className="dialog-body">
        <p className="field-hint" id={hint}>
          At most {maximumTags}. Enter or a comma adds one. Everyone who can read the thread can see them.
        </p>
        <TagField {...{ field, hint, written, suggestions }} onWrite={setWritten} onAdd={add} />
        <RemovableTags tags={tags} onRemove={remove} />
        <Problem message={problem} />
        <div className="dialog-actions">
          <Button variant="quiet" onClick={onClose}>
            Cancel
          </Button>
          <Button variant="primary" type="submit" aria-disabled={isRunning}>
            Save tags
          </Button>
        </div>
      </form>
    </Dialog>
  );
}

/** None until they are loaded, and where they cannot be: they only help to write. */
function useTagsInUse(): readonly string[] {
  const [inUse, setInUse] = useState<readonly string[]>([]);
  useEffect(() => {
    let isGone = false;
    void runQuery(tagsInUseQuery, {}).then((outcome) => {
      if (!isGone && outcome.ok) setInUse(outcome.value.threadTags);
    });
    return () => {
      isGone = true;
    };
  }, []);
  return inUse;
}

function RemovableTags({ tags, onRemove }: { tags: readonly string[]; onRemove: (tag: string) => void }) {
  if (tags.length === 0) return null;
  return (
    <ul className="tag-list" aria-label="Tags of the thread">
      {tags.map((tag) => (
        <li key={tag} className="tag">
          <bdi>{cleanText(tag)}</bdi>
          <button type="button" className="tag-remove" onClick={() => onRemove(tag)} title="Remove">
            <X />
            <span className="visually-hidden">Remove {cleanText(tag)}</span>
          </button>
        </li>
      ))}
    </ul>
  );
}
