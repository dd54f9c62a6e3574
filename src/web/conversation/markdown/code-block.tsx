/**
 * A block of code with a copy button. It is highlighted once it is complete, since the highlighting of incomplete code
 * changes with each word.
 */
import type { RootContent } from 'hast';
import { memo, type ReactNode, useMemo, useRef } from 'react';
import { CopyButton } from '../../ui/copy-button.js';
import { useHighlighting } from './highlighting.js';

export interface CodeBlockProps {
  code: string;
  /** The language as written after the fence; empty if there is none. */
  language: string;
  isGrowing?: boolean;
}

export const CodeBlock = memo(({ code, language, isGrowing = false }: CodeBlockProps) => {
  const pre = useRef<HTMLPreElement>(null);
  // Loads the highlighter while the code is still growing, so that it is ready when the code is complete.
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

/** A scrollable element must be reachable by keyboard. */
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
