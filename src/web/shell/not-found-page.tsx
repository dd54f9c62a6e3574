/**
 * Shown for an unknown address, for a thread that does not exist or that the viewer may not see, and for a page that only
 * administrators may open.
 */
import { type ReactNode, useEffect } from 'react';
import { Link } from 'wouter';
import { defineTexts, useTexts } from '../language/texts.js';
import { focusIfLost } from '../ui/page/focus-if-lost.js';
import { useTitle } from '../ui/page/title.js';

const texts = defineTexts('shell/not-found-page', {
  title: 'Not found',
  page: 'There is no such page',
  thread: 'There is no such thread',
  restricted: 'This page is for administrators',
  threadReason:
    'It may be private or deleted, or the link may be incomplete. Ask the person who sent it to share the thread with the team.',
  pageReason: 'Check the address for typos.',
  restrictedReason: 'Ask an administrator of your organization for what you need from it.',
  home: 'Go to your threads',
});

export interface NotFoundPageProps {
  what?: 'page' | 'thread' | 'restricted';
  children?: ReactNode;
}

export default function NotFoundPage({ what = 'page', children }: NotFoundPageProps) {
  const t = useTexts(texts);
  // What had the focus goes with a thread that is deleted elsewhere.
  useEffect(focusIfLost, []);
  useTitle(what === 'restricted' ? t.restricted : t.title);
  return (
    <div className="page-middle">
      <h1>{t[what]}</h1>
      <p>{t[`${what}Reason`]}</p>
      {children}
      <Link href="/" className="button">
        {t.home}
      </Link>
    </div>
  );
}
