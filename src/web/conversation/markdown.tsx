/**
 * What a model wrote, as Markdown that can do nothing: no HTML, no image from anywhere, no link but to the web. A model can be
 * made to write anything by whatever it reads, so that an image would be a way to send words to somebody else's server.
 */
import { memo, type ReactNode, useMemo, useRef } from 'react';
import ReactMarkdown, { type Components } from 'react-markdown';
import rehypeSanitize from 'rehype-sanitize';
import remarkGfm from 'remark-gfm';
import { CopyButton } from '../ui/copy-button.js';
import { useHighlighting } from './highlighting.js';
import { blocksOf, isOpenFence } from './markdown-blocks.js';
import './highlight.css';

const remarkPlugins = [remarkGfm];
const plain = [rehypeSanitize];

/** The text of the answer; while it is growing, code that is not complete is not coloured. */
export function Markdown({ text, isGrowing }: { text: string; isGrowing: boolean }) {
  // Blocks never move, since a text only grows at its end: their number is their name.
  const blocks = useMemo(() => blocksOf(text).map((block, index) => ({ key: `block-${index}`, block })), [text]);
  return blocks.map(({ key, block }, index) => (
    <Block key={key} text={block} isGrowing={isGrowing && index === blocks.length - 1} />
  ));
}

const Block = memo(({ text, isGrowing }: { text: string; isGrowing: boolean }) => {
  const isComing = isGrowing && isOpenFence(text);
  const highlight = useHighlighting(text.includes('```') || text.includes('~~~'));
  return (
    <ReactMarkdown
      remarkPlugins={remarkPlugins}
      // What colours code comes last: what it adds is ours, and what came before it was made harmless.
      rehypePlugins={highlight && !isComing ? [rehypeSanitize, highlight] : plain}
      urlTransform={webOnly}
      components={components}
    >
      {text}
    </ReactMarkdown>
  );
});

/** The address where it leads to the web, else none. */
function webOnly(url: string): string {
  return /^https?:\/\//i.test(url) ? url : '';
}

const linkRel = 'noopener noreferrer nofollow';

const components: Components = {
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
  pre: ({ children }) => <Code>{children}</Code>,
  table: ({ children }) => (
    <div className="table" {...scrollable}>
      <table>{children}</table>
    </div>
  ),
};

/** What scrolls must be reached by the keyboard. */
const scrollable = { tabIndex: 0 };

function Code({ children }: { children?: ReactNode }) {
  const code = useRef<HTMLPreElement>(null);
  return (
    <div className="code">
      <span className="code-copy">
        <CopyButton label="Copy code" small text={() => code.current?.textContent ?? ''} />
      </span>
      <pre ref={code} {...scrollable}>
        {children}
      </pre>
    </div>
  );
}
