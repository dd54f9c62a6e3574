import { type ComponentType, lazy, type ReactNode, Suspense } from 'react';
import { importWithRetry } from './import-with-retry.js';

export type Load<Props> = () => Promise<{ default: ComponentType<Props> }>;
export type Fallback<Props> = (props: Props) => ReactNode;

/**
 * A component that is loaded apart from the first view, when it is shown for the first time. Until it is there, the fallback or
 * nothing is shown in its place.
 */
export function late<Props extends object>(load: Load<Props>, fallback?: Fallback<Props>): ComponentType<Props> {
  const Loaded: ComponentType<Props> = lazy(() => importWithRetry(load));
  return (props) => (
    <Suspense fallback={fallback?.(props)}>
      <Loaded {...props} />
    </Suspense>
  );
}
