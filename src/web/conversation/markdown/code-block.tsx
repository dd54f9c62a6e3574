/**
 * A block of code with its language and its tools. It is highlighted once it is complete, since the highlighting of incomplete code
 * changes with each word.
 */
import type { RootContent } from 'hast';
import { memo, type ReactNode, useMemo, useRef, useState } from 'react';
import { scrollable } from '../../ui/scrollable.js';
import { CodeTools } from './code-tools.js';
import { useHighlighting } from './highlighting.js';

export interface CodeBlockProps {
  code: string;
  /** The language as written after the fence; empty if there is none. */
  language: string;
  isGrowing?: boolean;
}

export const CodeBlock = memo(({ code, language, isGrowing = false }: CodeBlockProps) => {
  const [isWrapped, setWrapped] = useState(false);
  const pre = useRef<HTMLPreElement>(null);
  // Loads the highlighter while the code is still growing, so that it is ready when the code is complete.
  const colours = useHighlighting(language);
  const coloured = useMemo(() => (isGrowing ? null : colours?.(code)), [isGrowing, colours, code]);
  return (
    <div className="code" dir="ltr" translate="no" data-wrapped={isWrapped}>
      <CodeTools
        language={language}
        code={() => pre.current?.textContent ?? ''}
        isWrapped={isWrapped}
        onWrap={setWrapped}
      />
      <pre ref={pre} {...scrollable}>
        <code>{coloured ? coloured.children.map(show) : code}</code>
      </pre>
    </div>
  );
});

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
