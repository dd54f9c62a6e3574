/**
 * Footnotes. Their links lead within the message and move the focus there, without a change of the address. Each piece of
 * Markdown has ids of its own, so that the first footnote of an answer is not that of another one.
 */
import { createContext, type MouseEvent, type ReactNode, useContext } from 'react';

/** What the ids of a piece of Markdown begin with. */
export const FootnotePrefix = createContext('');

/** The links that footnotes consist of, as the parser writes them. */
const footnoteLink = /^#(fn|fnref)-\S+$/;

export function isFootnoteUrl(url: string): boolean {
  return footnoteLink.test(url);
}

export interface FootnoteLinkProps {
  href: string;
  id?: string | undefined;
  'aria-label'?: string | undefined;
  'aria-describedby'?: string | undefined;
  children?: ReactNode;
}

export function FootnoteLink({ href, ...link }: FootnoteLinkProps) {
  const target = useContext(FootnotePrefix) + href.slice(1);
  const go = (event: MouseEvent) => {
    event.preventDefault();
    const element = document.getElementById(target);
    if (!element) return;
    // A footnote is no control, and a screen reader goes on reading where the focus is.
    if (element.tabIndex < 0) element.tabIndex = -1;
    element.focus();
    element.scrollIntoView({ block: 'nearest' });
  };
  return <a {...link} href={`#${target}`} className="footnote-link" onClick={go} />;
}
