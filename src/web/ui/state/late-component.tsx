import { type ComponentType, lazy, type ReactNode, Suspense } from 'react';
import { importWithRetry } from './import-with-retry.js';

type Load<Props> = () => Promise<{ default: ComponentType<Props> }>;
type Fallback<Props> = (props: Props) => ReactNode;

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

/** The handlers of the control. */
export interface Approaching {
  onPointerEnter: () => void;
  onFocus: () => void;
}

/**
 * A component that is loaded apart from the first view, as soon as the pointer or the focus reaches the control that shows
 * it. It is loaded once, however often that happens.
 */
export function loadOnApproach<Props extends object>(load: Load<Props>, fallback?: Fallback<Props>) {
  let loading: ReturnType<typeof load> | undefined;
  const loadOnce = () => {
    loading ??= importWithRetry(load);
    return loading;
  };
  const approach = () => void loadOnce();
  const approaching: Approaching = { onPointerEnter: approach, onFocus: approach };
  return { Component: late(loadOnce, fallback), approaching };
}
