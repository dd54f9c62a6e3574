/** The text of an answer. What renders Markdown is loaded apart; until it is there, the same words stand there as they came. */
import { lazy, memo, Suspense } from 'react';
import './rich.css';

const load = () => import('./markdown.js');
const Markdown = lazy(load);

/** Starts to load what renders Markdown, before there is anything to render. */
export function preloadMarkdown(): void {
  void load();
}

export const RichText = memo(({ text, isGrowing = false }: { text: string; isGrowing?: boolean }) => (
  <div className="rich">
    <Suspense fallback={<p className="plain">{text}</p>}>
      <Markdown text={text} isGrowing={isGrowing} />
    </Suspense>
  </div>
));
