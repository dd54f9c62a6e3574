/** Finds threads and commands by what is written. The arrows choose and Enter opens, while the focus stays in the field. */
import { type KeyboardEvent, useState } from 'react';
import { useLocation } from 'wouter';
import { defineTexts, useTexts } from '../language/texts.js';
import { useViewer } from '../sign-in/session.js';
import { Dialog } from '../ui/dialog.js';
import { Problem } from '../ui/problem.js';
import { useProblem } from '../ui/state/use-problem.js';
import { keyTexts } from './keys.js';
import { commandsFor, matching, type PaletteItem, useThreadItems } from './palette-items.js';
import { Group, Option } from './palette-option.js';
import './palette.css';

const texts = defineTexts('shell/palette', {
  threads: 'Threads',
  commands: 'Commands',
  searching: 'Searching older threads…',
  unsearched: 'Older threads were not searched. The search of the list goes on to them.',
  nothing: 'Nothing was found.',
});

export interface PaletteProps {
  /** What is written in the field, also before it was loaded. */
  written: string;
  onWrite: (written: string) => void;
  onClose: () => void;
  onShowKeys: () => void;
}

export default function Palette({ written, onWrite, onClose, onShowKeys }: PaletteProps) {
  const t = useTexts(texts);
  const { palette: title } = useTexts(keyTexts);
  const me = useViewer();
  const [, navigate] = useLocation();
  const [chosen, setChosen] = useState(0);
  const [problem, setProblem] = useProblem();
  const { items: threads, rest } = useThreadItems(written.trim());
  const commands = matching(commandsFor(me, onShowKeys), written.trim());
  const items = [...threads, ...commands];
  const index = Math.min(chosen, items.length - 1);
  const run = (item: PaletteItem | undefined) => {
    if (!item) return;
    if (item.attempt) return void item.attempt().then(setProblem);
    onClose();
    item.run?.();
    if (item.path) navigate(item.path);
  };
  const onKeyDown = (event: KeyboardEvent) => {
    const step = { ArrowDown: 1, ArrowUp: -1 }[event.key];
    if (step) setChosen((index + step + items.length) % Math.max(1, items.length));
    else if (event.key === 'Enter') run(items[index]);
    else return;
    event.preventDefault();
  };
  const option = (item: PaletteItem) => (
    <Option key={item.id} item={item} isChosen={item === items[index]} onPress={() => run(item)} />
  );
  return (
    <Dialog title={title} className="palette" isTitleHidden isDismissible onClose={onClose}>
      <input
        className="input"
        role="combobox"
        dir="auto"
        aria-label={title}
        placeholder={title}
        aria-expanded={items.length > 0}
        aria-controls="palette-threads palette-commands"
        aria-activedescendant={items[index] && `palette-${items[index].id}`}
        value={written}
        onChange={({ target }) => {
          onWrite(target.value);
          setChosen(0);
        }}
        onKeyDown={onKeyDown}
      />
      <Problem message={problem} />
      <div className="palette-list">
        {threads.length > 0 && (
          <Group id="palette-threads" label={t.threads}>
            {threads.map(option)}
          </Group>
        )}
        {commands.length > 0 && (
          <Group id="palette-commands" label={t.commands}>
            {commands.map(option)}
          </Group>
        )}
      </div>
      <p role="status" className={items.length > 0 && !rest ? 'visually-hidden' : 'field-hint'}>
        {rest ? t[rest] : items.length > 0 ? '' : t.nothing}
      </p>
    </Dialog>
  );
}
