/**
 * Renders the Markdown of a model without HTML, images, or links to anything but the web. A model can be made to write
 * anything by what it reads, and loading an image could send the conversation to another server.
 */
import { memo, useMemo } from 'react';
import ReactMarkdown from 'react-markdown';
import rehypeSanitize from 'rehype-sanitize';
import remarkGfm from 'remark-gfm';
import { CodeBlock } from './code-block.js';
import { partsOf } from './growing-parts.js';
import { blocksOf, openFenceOf } from './markdown-blocks.js';
import { components, firstRows, itemsAlone, rowsAlone, Table } from './markdown-components.js';

const remarkPlugins = [remarkGfm];
const rehypePlugins = [rehypeSanitize];

/**
 * The text of an answer. While it grows, only its last block is parsed again, and of a long list or table only the last
 * part.
 */
export function Markdown({ text, isGrowing }: { text: string; isGrowing: boolean }) {
  return isGrowing ? <GrowingText text={text} /> : <Block text={text} />;
}

function GrowingText({ text }: { text: string }) {
  // The index is a stable key, since text grows only at its end.
  const blocks = useMemo(() => numbered(blocksOf(text)), [text]);
  return blocks.map(({ key, text: block }, index) =>
    index === blocks.length - 1 ? <GrowingBlock key={key} text={block} /> : <Block key={key} text={block} />,
  );
}

function numbered(texts: readonly string[]): { key: string; text: string }[] {
  return texts.map((text, index) => ({ key: `block-${index}`, text }));
}

const Block = memo(({ text, parts = components }: { text: string; parts?: typeof components }) => (
  <ReactMarkdown remarkPlugins={remarkPlugins} rehypePlugins={rehypePlugins} urlTransform={webOnly} components={parts}>
    {text}
  </ReactMarkdown>
));

function GrowingBlock({ text }: { text: string }) {
  const fence = openFenceOf(text);
  if (fence) return <CodeBlock {...fence} isGrowing />;
  const long = partsOf(text);
  if (!long) return <Block text={text} />;
  const { kind: List, start, parts } = long;
  if (List === 'table') {
    const rows = numbered(parts).map(({ key, text: part }, index) => (
      <Block key={key} text={part} parts={index === 0 ? firstRows : rowsAlone} />
    ));
    return <Table>{rows}</Table>;
  }
  const items = numbered(parts).map(({ key, text: part }) => <Block key={key} text={part} parts={itemsAlone} />);
  return List === 'ol' ? <ol start={start}>{items}</ol> : <ul>{items}</ul>;
}

/** The URL if it is an HTTP or HTTPS URL, else an empty string. */
function webOnly(url: string): string {
  return /^https?:\/\//i.test(url) ? url : '';
}
