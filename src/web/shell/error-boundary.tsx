/** Shows an error page instead of an empty window when a page fails to render, for example because a module did not load. */
import { Component, type ReactNode } from 'react';
import { defineTexts } from '../language/texts.js';
import { ReloadButton } from '../ui/common-buttons.js';
import './shell.css';

const texts = defineTexts('shell/error-boundary', {
  title: 'This page did not load',
  remedy: 'Your drafts are saved in this browser. Check your connection, then reload the page.',
});

export interface ErrorBoundaryProps {
  /** The current location. The boundary resets when it changes. */
  place: string;
  /** What is shown instead of the error page. */
  fallback?: ReactNode;
  children: ReactNode;
}

export class ErrorBoundary extends Component<ErrorBoundaryProps, { hasFailed: boolean }> {
  override state = { hasFailed: false };

  static getDerivedStateFromError() {
    return { hasFailed: true };
  }

  override componentDidUpdate(previous: ErrorBoundaryProps) {
    if (this.state.hasFailed && previous.place !== this.props.place) this.setState({ hasFailed: false });
  }

  override render(): ReactNode {
    if (!this.state.hasFailed) return this.props.children;
    if (this.props.fallback) return this.props.fallback;
    const t = texts.get();
    return (
      <div className="page-middle" role="alert">
        <h1>{t.title}</h1>
        <p>{t.remedy}</p>
        <ReloadButton variant="primary" />
      </div>
    );
  }
}
