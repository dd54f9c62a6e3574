/**
 * The text of an answer. The Markdown renderer is loaded apart from the first view; until it is loaded, the source text is shown.
 */
import { memo } from 'react';
import { lateValue } from '../../ui/state/late-value.js';
import './highlight.css';
import './rich.css';

const markdown = lateValue(async () => (await import('./markdown.js')).Markdown);

/** Starts loading the renderer before there is anything to render. */
export const preloadMarkdown = markdown.preload;

export const RichText = memo(({ text, isGrowing = false }: { text: string; isGrowing?: boolean }) => {
  const Rendered = markdown.useValue();
  return (
    <div className="rich">
      {Rendered ? (
        <Rendered text={text} isGrowing={isGrowing} />
      ) : (
        <p className="plain" dir="auto">
          {text}
        </p>
      )}
    </div>
  );
});
