/** A block of code, to be read and to be copied. It is coloured once it is complete: colours of a half would change with each word. */
import type { RootContent } from 'hast';
import { memo, type ReactNode, useMemo, useRef } from 'react';
import { CopyButton } from '../../ui/copy-button.js';
import { useHighlighting } from './highlighting.js';

export interface CodeBlockProps {
  code: string;
  /** As whoever wrote the code calls it; empty where they did not say. */
  language: string;
  isGrowing?: boolean;
}

export const CodeBlock = memo(({ code, language, isGrowing = false }: CodeBlockProps) => {
  const pre = useRef<HTMLPreElement>(null);
  // Asked for while the code is still coming, so that the colours are there when it is complete.
  const colours = useHighlighting(language);
  const coloured = useMemo(() => (isGrowing ? null : colours?.(code)), [isGrowing, colours, code]);
  return (
    <div className="code">
      <span className="code-copy">
        <CopyButton label="Copy code" small text={() => pre.current?.textContent ?? ''} />
      </span>
      <pre ref={pre} {...scrollable}>
        <code>{coloured ? coloured.children.map(show) : code}</code>
      </pre>
    </div>
  );
});

/** What scrolls must be reached by the keyboard. */
const scrollable = { tabIndex: 0 };

function show(node: RootContent, index: number): ReactNode {
  if (node.type === 'text') return node.value;
  if (node.type !== 'element') return null;
  const { className } = node.properties;
  return (
    <span key={`part-${index}`} className={Array.isArray(className) ? className.join(' ') : ''}>
      {node.children.map(show)}
    </span>
  );
}
