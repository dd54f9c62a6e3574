/** Shown at the edge of the loaded messages while more are loading, or when loading failed. */
import { Button } from '../../ui/button.js';
import './page-edge.css';

export interface PageEdgeProps {
  /** True at the end of the loaded messages, false at their start. */
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
