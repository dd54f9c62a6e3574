/** How the parts of Markdown are shown, wherever they are not shown as they are. */
import type { Element } from 'hast';
import type { ReactNode } from 'react';
import type { Components, ExtraProps } from 'react-markdown';
import { CodeBlock } from './code-block.js';

const linkRel = 'noopener noreferrer nofollow';

export const components: Components = {
  // Within a message, whose heading is a second one, below the name of the conversation.
  h1: ({ node, ...heading }) => <h2 {...heading} />,
  h2: ({ node, ...heading }) => <h3 {...heading} />,
  h3: ({ node, ...heading }) => <h4 {...heading} />,
  h4: ({ node, ...heading }) => <h5 {...heading} />,
  h5: ({ node, ...heading }) => <h6 {...heading} />,
  a: ({ href, children }) =>
    href ? (
      <a href={href} rel={linkRel} target="_blank">
        {children}
      </a>
    ) : (
      <span>{children}</span>
    ),
  img: ({ src, alt }) =>
    typeof src === 'string' && src ? (
      <a href={src} rel={linkRel} target="_blank">
        {alt || 'Image'} (not loaded: {src})
      </a>
    ) : (
      <span>{alt}</span>
    ),
  input: ({ checked }) => <input type="checkbox" checked={checked ?? false} readOnly aria-label="Task" disabled />,
  pre: ({ node }) => <CodeBlock {...codeOf(node)} />,
  table: ({ children }) => <Table>{children}</Table>,
};

/** Of a table whose other rows come from elsewhere: the head and the rows, without the table. */
export const firstRows: Components = { ...components, table: ({ children }) => children };

/** The rows alone, for a table that has its head already. */
export const rowsAlone: Components = { ...firstRows, thead: () => null };

/** The items of a list, for a list that has others before them. */
export const itemsAlone: Components = {
  ...components,
  ul: ({ node, children }) => (isOutermost(node) ? children : <ul>{children}</ul>),
  ol: ({ node, start, children }) => (isOutermost(node) ? children : <ol start={start}>{children}</ol>),
};

function isOutermost(node: ExtraProps['node']): boolean {
  return node?.position?.start.offset === 0;
}

export function Table({ children }: { children?: ReactNode }) {
  return (
    <div className="table" {...scrollable}>
      <table>{children}</table>
    </div>
  );
}

/** What scrolls must be reached by the keyboard. */
const scrollable = { tabIndex: 0 };

function codeOf(pre: Element | undefined): { code: string; language: string } {
  const code = pre?.children[0];
  if (code?.type !== 'element') return { code: '', language: '' };
  const { className } = code.properties;
  const names = Array.isArray(className) ? className.map(String) : [];
  const language = names.find((name) => name.startsWith('language-'))?.slice('language-'.length) ?? '';
  return { language, code: code.children.map((child) => (child.type === 'text' ? child.value : '')).join('') };
}
