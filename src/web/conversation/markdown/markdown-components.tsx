/** How Markdown elements are rendered where they differ from plain HTML. */
import type { Element } from 'hast';
import type { ReactNode } from 'react';
import type { Components, ExtraProps } from 'react-markdown';
import { CodeBlock } from './code-block.js';

const linkRel = 'noopener noreferrer nofollow';

export const components: Components = {
  // Each level is shifted down, because a message is below the headings of the page and of the message.
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

/** Renders only the head and rows of a table, for a part of a longer table. */
export const firstRows: Components = { ...components, table: ({ children }) => children };

/** Renders only the rows of a table. */
export const rowsAlone: Components = { ...firstRows, thead: () => null };

/** Renders only the items of a list, for a part of a longer list. */
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

/** A scrollable element must be reachable by keyboard. */
const scrollable = { tabIndex: 0 };

function codeOf(pre: Element | undefined): { code: string; language: string } {
  const code = pre?.children[0];
  if (code?.type !== 'element') return { code: '', language: '' };
  const { className } = code.properties;
  const names = Array.isArray(className) ? className.map(String) : [];
  const language = names.find((name) => name.startsWith('language-'))?.slice('language-'.length) ?? '';
  return { language, code: code.children.map((child) => (child.type === 'text' ? child.value : '')).join('') };
}
