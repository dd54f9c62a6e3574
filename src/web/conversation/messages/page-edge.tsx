/** Says that more of the conversation is on its way, where somebody is faster than it, or that it did not come. */
import { Button } from '../../ui/button.js';
import './page-edge.css';

export interface PageEdgeProps {
  /** True at the end of what is held, else at its beginning. */
  isNewer: boolean;
  isFailed: boolean;
  onRetry: () => void;
}

export function PageEdge({ isNewer, isFailed, onRetry }: PageEdgeProps) {
  const which = isNewer ? 'newer' : 'earlier';
  return (
    <p className={`page-edge ${isNewer ? 'page-edge-newer' : ''}`} role="status">
      {isFailed ? `The ${which} messages did not load.` : `Loading ${which} messages…`}
      {isFailed && <Button onClick={onRetry}>Try again</Button>}
    </p>
  );
}
