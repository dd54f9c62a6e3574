/**
 * The text of an answer. The Markdown renderer is loaded apart from the first view; until it is loaded, and where
 * it fails, the source text is shown, so that one answer cannot make the whole conversation unreadable.
 */
import { memo } from 'react';
import { ErrorBoundary } from '../../shell/error-boundary.js';
import { lateValue } from '../../ui/state/late-value.js';
import { Plain } from '../messages/plain.js';
import './highlight.css';
import './rich.css';

const markdown = lateValue(async () => (await import('./markdown.js')).Markdown);

/** Starts loading the renderer before there is anything to render. */
export const preloadMarkdown = markdown.preload;

export const RichText = memo(({ text, isGrowing = false }: { text: string; isGrowing?: boolean }) => {
  const Rendered = markdown.useValue();
  const source = <Plain text={text} />;
  return (
    <div className="rich">
      <ErrorBoundary place="" fallback={source}>
        {Rendered ? <Rendered text={text} isGrowing={isGrowing} /> : source}
      </ErrorBoundary>
    </div>
  );
});
