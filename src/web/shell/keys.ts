/** The keys of the application, as the dialog shows them. */
import { defineTexts } from '../language/texts.js';

export const keyTexts = defineTexts('shell/keys', {
  paletteKeys: 'Ctrl+K or ⌘+K',
  palette: 'Find a thread or a command',
  help: 'Show the keys',
  search: 'Search threads',
  moveKeys: '↓ and ↑',
  move: 'Move through the threads',
  rename: 'Rename a thread in the list',
  newThreadKeys: 'Ctrl+Shift+O, ⌘+Shift+O or Alt+N',
  newThread: 'New thread',
  sendKeys: 'Enter',
  send: 'Send',
  newLineKeys: 'Shift+Enter',
  newLine: 'New line',
  editKeys: '↑ in an empty message',
  edit: 'Edit the queued or the last message',
  chooseKeys: '1 to 9',
  choose: 'Choose an answer to a question',
  listKeys: 'Ctrl+B or ⌘+B',
  list: 'Show or hide the list of threads',
  stopKeys: 'Escape',
  stop: 'Stop the response',
});

export function keys(): { keys: string; action: string }[] {
  const t = keyTexts.get();
  return [
    { keys: t.paletteKeys, action: t.palette },
    { keys: '?', action: t.help },
    { keys: '/', action: t.search },
    { keys: t.moveKeys, action: t.move },
    { keys: 'F2', action: t.rename },
    { keys: t.newThreadKeys, action: t.newThread },
    { keys: t.sendKeys, action: t.send },
    { keys: t.newLineKeys, action: t.newLine },
    { keys: t.editKeys, action: t.edit },
    { keys: t.chooseKeys, action: t.choose },
    { keys: t.listKeys, action: t.list },
    { keys: t.stopKeys, action: t.stop },
  ];
}
