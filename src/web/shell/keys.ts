/** The keys of the application, as the dialog shows them. */
export const keys: readonly { keys: string; action: string }[] = [
  { keys: 'Ctrl+K or ⌘+K', action: 'Find a thread or a command' },
  { keys: '?', action: 'Show the keys' },
  { keys: '/', action: 'Search threads' },
  { keys: '↓ and ↑', action: 'Move through the threads' },
  { keys: 'F2', action: 'Rename a thread in the list' },
  { keys: 'Ctrl+Shift+O or ⌘+Shift+O', action: 'New thread' },
  { keys: 'Alt+N', action: 'New thread' },
  { keys: 'Enter', action: 'Send' },
  { keys: 'Shift+Enter', action: 'New line' },
  { keys: '↑ in an empty message', action: 'Edit the queued or the last message' },
  { keys: '1 to 9', action: 'Choose an answer to a question' },
  { keys: 'Ctrl+B or ⌘+B', action: 'Show or hide the list of threads' },
  { keys: 'Escape', action: 'Stop the response' },
];
