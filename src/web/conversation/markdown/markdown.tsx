/**
 * Renders the Markdown of a model without HTML (but for what `gfm.ts` names), images, or links to anything but the web. A model can
 * be made to write anything by what it reads, and loading an image could send the conversation to another server.
 */
import { memo, useId, useMemo, useState } from 'react';
import ReactMarkdown, { type Options } from 'react-markdown';
import rehypeSanitize, { defaultSchema } from 'rehype-sanitize';
import { defineTexts, withValues } from '../../language/texts.js';
import { lateValue } from '../../ui/state/late-value.js';
import { Plain } from '../messages/plain.js';
import { rehypeLateAddresses } from './addresses/late-addresses.js';
import { CodeBlock } from './code-block.js';
import { directionOfSource, rehypeDirection } from './direction.js';
import { FootnotePrefix, isFootnoteUrl } from './footnotes.js';
import { html, remarkGfm, remarkInlineTags } from './gfm.js';
import { partsOf } from './growing-parts.js';
import { blocksOf, isCode, openFenceOf } from './markdown-blocks.js';
import { components, firstRows, itemsAlone, rowsAlone, Table } from './markdown-components.js';
import { withMathFences } from './math-blocks.js';
import { remarkFormulas } from './math-syntax.js';

const texts = defineTexts('conversation/markdown/markdown', {
  footnotes: 'Footnotes',
  backTo: withValues('Back to reference {number}'),
});

const remarkPlugins: Options['remarkPlugins'] = [remarkGfm, remarkFormulas, remarkInlineTags];
const attributes = { ...defaultSchema.attributes, var: [['className', 'math-block'] as [string, string]] };
/** The ids of footnotes get their prefix when they are sanitized. */
const remarkRehypeOptions: Options['remarkRehypeOptions'] = {
  clobberPrefix: '',
  handlers: { html },
  get footnoteLabel() {
    return texts.get().footnotes;
  },
  footnoteBackLabel: (index, again) =>
    texts.get().backTo({ number: again > 1 ? `${index + 1}-${again}` : `${index + 1}` }),
};

function rehypePlugins(clobberPrefix: string): Options['rehypePlugins'] {
  return [[rehypeSanitize, { ...defaultSchema, attributes, clobberPrefix }], rehypeLateAddresses, rehypeDirection];
}

/** Deeper nesting takes seconds, and in the end exhausts the stack. A line of bullets alone is a rule. */
const deepNesting = /^(?![ \t]*([-*])(?:[ \t]*\1)*[ \t]*$)(?:[ \t]*(?:>|(?:[-*+]|\d{1,9}[.)])(?=[ \t]))){50}/m;
/** The time for emphasis grows with the square of its marks. A longer line that is full of them is not prose. */
const longLine = 4000;
const marks = /[*_~]/g;
/** So does the time for headings with the lines below them. */
const underline = /^[ \t>]*(?:=+|-+)[ \t]*$/gm;
const mostUnderlines = 1000;

/** Models repeat a mark over and over when they lose the thread. Such text is shown as it was written. */
function isTooHard(text: string): boolean {
  const isOfMarks = (line: string) => line.length > longLine && (line.match(marks)?.length ?? 0) > line.length / 4;
  const isUnderlined = (text.match(underline)?.length ?? 0) > mostUnderlines;
  return isUnderlined || deepNesting.test(text) || text.split('\n').some(isOfMarks);
}

const copying = lateValue(() => import('./copying.js'));
// What is copied was selected before. The selection of a field is another.
document.addEventListener('selectionchange', () => getSelection()?.isCollapsed === false && copying.preload());

/**
 * The text of an answer. While it grows, only its last block is parsed again, and of a long list or table only the last
 * part. What has grown here keeps its blocks in the end.
 */
export function Markdown({ text, isGrowing }: { text: string; isGrowing: boolean }) {
  const source = useMemo(() => withMathFences(text, isGrowing), [text, isGrowing]);
  const [hasGrown] = useState(isGrowing);
  return hasGrown || isTooHard(source) ? <Blocks text={source} isGrowing={isGrowing} /> : <Block text={source} />;
}

function Blocks({ text, isGrowing }: { text: string; isGrowing: boolean }) {
  // The index is a stable key, since text grows only at its end.
  const blocks = useMemo(() => numbered(blocksOf(text, isGrowing)), [text, isGrowing]);
  return blocks.map(({ key, text: block }, index) =>
    isGrowing && index === blocks.length - 1 ? (
      // A browser that translates the page would replace what React is about to change. What has grown is translated.
      <div key={key} className="growing" translate="no">
        <GrowingBlock text={block} />
      </div>
    ) : (
      <Block key={key} text={block} />
    ),
  );
}

function numbered(texts: readonly string[]): { key: string; text: string }[] {
  return texts.map((text, index) => ({ key: `block-${index}`, text }));
}

interface BlockProps {
  text: string;
  parts?: typeof components;
}

const Block = memo((props: BlockProps) =>
  isTooHard(props.text) && !isCode(props.text) ? <Plain text={props.text} /> : <Parsed {...props} />,
);

function Parsed({ text, parts = components }: BlockProps) {
  const prefix = `${useId()}-`;
  const plugins = useMemo(() => rehypePlugins(prefix), [prefix]);
  return (
    <FootnotePrefix value={prefix}>
      <ReactMarkdown
        remarkPlugins={remarkPlugins}
        remarkRehypeOptions={remarkRehypeOptions}
        rehypePlugins={plugins}
        urlTransform={safeUrl}
        components={parts}
      >
        {text}
      </ReactMarkdown>
    </FootnotePrefix>
  );
}

function GrowingBlock({ text }: { text: string }) {
  const fence = openFenceOf(text);
  if (fence) return <CodeBlock {...fence} isGrowing />;
  const long = partsOf(text);
  if (!long) return <Block text={text} />;
  const { kind: List, start, parts } = long;
  const dir = directionOfSource(parts[0] ?? '');
  if (List === 'table') {
    const rows = numbered(parts).map(({ key, text: part }, index) => (
      <Block key={key} text={part} parts={index === 0 ? firstRows : rowsAlone} />
    ));
    return <Table dir={dir}>{rows}</Table>;
  }
  const items = numbered(parts).map(({ key, text: part }) => <Block key={key} text={part} parts={itemsAlone} />);
  return List === 'ol' ? (
    <ol start={start} dir={dir}>
      {items}
    </ol>
  ) : (
    <ul dir={dir}>{items}</ul>
  );
}

/** The URL if it is an HTTP or HTTPS URL or leads to a footnote, else an empty string. */
function safeUrl(url: string): string {
  return /^https?:\/\//i.test(url) || isFootnoteUrl(url) ? url : '';
}
