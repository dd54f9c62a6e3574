/**
 * Cuts Markdown into blocks that mean the same each for itself, so that only the last one changes while a text grows. A cut is
 * made only where a blank line is followed by a line that neither goes on with a list nor is indented, outside of fences.
 */
const fence = /^ {0,3}(`{3,}|~{3,})/;
const goesOn = /^(\s|[-*+]\s|\d{1,9}[.)]\s|\|)/;
const definition = /^ {0,3}\[[^\]]+\]:\s*\S+.*$/gm;

export function blocksOf(text: string): string[] {
  const blocks: string[] = [];
  let current: string[] = [];
  let open: string | null = null;
  let isBlank = false;
  for (const line of text.split('\n')) {
    const mark = fence.exec(line)?.[1];
    if (open === null && isBlank && current.length > 0 && !goesOn.test(line) && line.trim() !== '') {
      blocks.push(current.join('\n'));
      current = [];
    }
    if (mark && open === null) open = mark;
    else if (mark && open !== null && closes(mark, open, line)) open = null;
    isBlank = line.trim() === '';
    current.push(line);
  }
  blocks.push(current.join('\n'));
  return withDefinitions(blocks, text);
}

function closes(mark: string, open: string, line: string): boolean {
  return mark[0] === open[0] && mark.length >= open.length && line.trim() === mark;
}

/** Links by reference are defined once for the whole text, so that each block that may use one needs them. */
function withDefinitions(blocks: string[], text: string): string[] {
  const definitions = text.includes(']:') ? text.match(definition) : null;
  if (!definitions) return blocks;
  return blocks.map((block) => (block.includes('[') ? `${block}\n\n${definitions.join('\n')}` : block));
}

/** True where a block is a fence that is not closed yet: its code is still coming. */
export function isOpenFence(block: string): boolean {
  const lines = block.split('\n');
  const mark = fence.exec(lines[0] ?? '')?.[1];
  return mark !== undefined && !lines.slice(1).some((line) => closes(fence.exec(line)?.[1] ?? '', mark, line));
}
