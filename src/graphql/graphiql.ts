/**
 * GraphiQL, a page for trying operations, where the operator wants it. It is served without a token, as it holds nothing but
 * itself: whoever uses it enters a token there. It loads nothing from anywhere else, and its policy lets it do nothing else.
 */
import { createHash } from 'node:crypto';
import type { GraphiQLOptions } from 'graphql-yoga';
import type { Middleware } from 'koa';

const options: GraphiQLOptions = {
  title: 'Skein GraphiQL',
  endpoint: '/graphql',
  headers: '{"Authorization": "Bearer "}',
  shouldPersistHeaders: false,
  subscriptionsProtocol: 'SSE',
  defaultQuery: '{ me { sub name } }',
};

interface Page {
  html: string;
  policy: string;
}

/** Answers a browser that opens `/graphql`; everything else passes. */
export function graphiql(): Middleware {
  let page: Promise<Page> | undefined;
  return async (ctx, next) => {
    if (ctx.path !== '/graphql' || ctx.method !== 'GET' || !ctx.get('accept').includes('text/html')) return next();
    page ??= render();
    const { html, policy } = await page;
    ctx.set({ 'Content-Security-Policy': policy, 'Cache-Control': 'no-cache', 'Referrer-Policy': 'no-referrer' });
    ctx.type = 'html';
    ctx.body = html;
  };
}

/** The page, and the policy that lets only its own scripts run. */
function pageOf(html: string): Page {
  const scripts = [...html.matchAll(/<script>(.*?)<\/script>/gs)].map(([, script = '']) => script);
  const hashes = scripts.map((script) => `'sha256-${createHash('sha256').update(script).digest('base64')}'`);
  const policy = [
    `default-src 'none'; script-src ${hashes.join(' ')}; style-src 'unsafe-inline'; font-src data:; img-src data:`,
    "connect-src 'self'; worker-src blob:; base-uri 'none'; form-action 'none'; frame-ancestors 'none'",
  ].join('; ');
  return { html, policy };
}

/** What renders is large, and so loaded when the page is first asked for. */
async function render(): Promise<Page> {
  const { renderGraphiQL } = await import('@graphql-yoga/render-graphiql');
  return pageOf(renderGraphiQL(options));
}
