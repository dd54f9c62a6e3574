/** Shown at the edge of the loaded messages while more are loading, or when loading failed. */
import { defineTexts, useTexts } from '../../language/texts.js';
import { RetryButton } from '../../ui/common-buttons.js';
import './page-edge.css';

const texts = defineTexts('conversation/messages/page-edge', {
  newer: 'Loading newer messages…',
  earlier: 'Loading earlier messages…',
  newerFailed: 'The newer messages did not load.',
  earlierFailed: 'The earlier messages did not load.',
});

export interface PageEdgeProps {
  /** True at the end of the loaded messages, false at their start. */
  isNewer: boolean;
  isFailed: boolean;
  onRetry: () => void;
}

export function PageEdge({ isNewer, isFailed, onRetry }: PageEdgeProps) {
  const t = useTexts(texts);
  const [loading, failed] = isNewer ? [t.newer, t.newerFailed] : [t.earlier, t.earlierFailed];
  return (
    <p className={`page-edge ${isNewer ? 'page-edge-newer' : ''}`} role="status">
      {isFailed ? failed : loading}
      {isFailed && <RetryButton onClick={onRetry} />}
    </p>
  );
}
