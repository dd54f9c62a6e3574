/** How Markdown elements are rendered where they differ from plain HTML. */
import type { Element } from 'hast';
import type { ReactNode } from 'react';
import type { Components, ExtraProps } from 'react-markdown';
import { defineTexts, withValues } from '../../language/texts.js';
import { scrollable } from '../../ui/scrollable.js';
import { CodeBlock } from './code-block.js';
import { FootnoteLink, isFootnoteUrl } from './footnotes.js';
import { Formula } from './formulas/formula.js';

const texts = defineTexts('conversation/markdown/markdown-components', {
  image: 'Image',
  notLoaded: withValues('{name} (not loaded: {address})'),
  task: 'Task',
});

const linkRel = 'noopener noreferrer nofollow';

export const components: Components = {
  // Each level is shifted down, because a message is below the headings of the page and of the message.
  h1: ({ node, ...heading }) => <h2 {...heading} />,
  h2: ({ node, ...heading }) => <h3 {...heading} />,
  h3: ({ node, ...heading }) => <h4 {...heading} />,
  h4: ({ node, ...heading }) => <h5 {...heading} />,
  h5: ({ node, ...heading }) => <h6 {...heading} />,
  a: ({ node, href, ...link }) =>
    isFootnote(node) && href ? <FootnoteLink {...link} href={href} /> : <WebLink href={href}>{link.children}</WebLink>,
  img: ({ src, alt }) =>
    typeof src === 'string' && src ? (
      <a href={src} rel={linkRel} target="_blank">
        {texts.get().notLoaded({ name: alt || texts.get().image, address: src })}
      </a>
    ) : (
      <span>{alt}</span>
    ),
  input: ({ checked }) => (
    <input type="checkbox" checked={checked ?? false} readOnly aria-label={texts.get().task} disabled />
  ),
  pre: ({ node }) => <Preformatted {...codeOf(node)} />,
  var: ({ className, children }) => <Formula source={String(children ?? '')} isBlock={className === 'math-block'} />,
  table: ({ dir, children }) => <Table dir={dir}>{children}</Table>,
};

/** Renders only the head and rows of a table, for a part of a longer table. */
export const firstRows: Components = { ...components, table: ({ children }) => children };

/** Renders only the rows of a table. */
export const rowsAlone: Components = { ...firstRows, thead: () => null };

/** Renders only the items of a list, for a part of a longer list. */
export const itemsAlone: Components = {
  ...components,
  ul: ({ node, children, ...list }) => (isOutermost(node) ? children : <ul {...list}>{children}</ul>),
  ol: ({ node, children, ...list }) => (isOutermost(node) ? children : <ol {...list}>{children}</ol>),
};

/** Whether the parser made the link: a model that writes such an address gets no link. */
function isFootnote(node: ExtraProps['node']): boolean {
  const { dataFootnoteRef, dataFootnoteBackref } = node?.properties ?? {};
  return dataFootnoteRef !== undefined || dataFootnoteBackref !== undefined;
}

function WebLink({ href, children }: { href: string | undefined; children?: ReactNode }) {
  if (!href || isFootnoteUrl(href)) return <span>{children}</span>;
  return (
    <a href={href} rel={linkRel} target="_blank">
      {children}
    </a>
  );
}

function isOutermost(node: ExtraProps['node']): boolean {
  return node?.position?.start.offset === 0;
}

export function Table({ dir, children }: { dir: string | undefined; children?: ReactNode }) {
  return (
    <div className="table" dir={dir} {...scrollable}>
      <table>{children}</table>
    </div>
  );
}

function Preformatted(block: { code: string; language: string }) {
  return block.language === 'math' ? <Formula source={block.code} isBlock /> : <CodeBlock {...block} />;
}

function codeOf(pre: Element | undefined): { code: string; language: string } {
  const code = pre?.children[0];
  if (code?.type !== 'element') return { code: '', language: '' };
  const { className } = code.properties;
  const names = Array.isArray(className) ? className.map(String) : [];
  const language = names.find((name) => name.startsWith('language-'))?.slice('language-'.length) ?? '';
  return { language, code: code.children.map((child) => (child.type === 'text' ? child.value : '')).join('') };
}
