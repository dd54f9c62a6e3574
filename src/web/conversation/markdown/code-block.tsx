/**
 * A block of code with its language and its tools. It is highlighted once it is complete, since the highlighting of incomplete code
 * changes with each word.
 */
import type { RootContent } from 'hast';
import Download from 'lucide-react/icons/download';
import WrapText from 'lucide-react/icons/wrap-text';
import { memo, type ReactNode, useMemo, useRef, useState } from 'react';
import { defineTexts, useTexts } from '../../language/texts.js';
import { IconButton } from '../../ui/button.js';
import { CopyButton } from '../../ui/copy-button.js';
import { scrollable } from '../../ui/scrollable.js';
import { importWithRetry } from '../../ui/state/import-with-retry.js';
import { useHighlighting } from './highlighting.js';

const texts = defineTexts('conversation/markdown/code-block', {
  code: 'Code',
  wrap: 'Wrap lines',
  download: 'Download code',
  copy: 'Copy code',
});

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

interface CodeToolsProps {
  /** The word after the fence; empty if there is none. */
  language: string;
  /** The code as it is shown now. */
  code: () => string;
  isWrapped: boolean;
  onWrap: (isWrapped: boolean) => void;
}

/** The line above the code: its language, and buttons to copy it, to wrap its lines and to save it as a file. */
function CodeTools({ language, code, isWrapped, onWrap }: CodeToolsProps) {
  const t = useTexts(texts);
  const save = async () => {
    const text = code();
    const { saveCode } = await importWithRetry(() => import('./save-code.js'));
    saveCode(language, text);
  };
  return (
    <div className="code-tools">
      <span className="code-language one-line">{language || t.code}</span>
      <IconButton icon={WrapText} label={t.wrap} small aria-pressed={isWrapped} onClick={() => onWrap(!isWrapped)} />
      <IconButton icon={Download} label={t.download} small onClick={() => void save()} />
      <CopyButton label={t.copy} small text={code} />
    </div>
  );
}
