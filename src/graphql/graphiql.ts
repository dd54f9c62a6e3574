/**
 * GraphiQL, if the operator enables it. The page needs no token, because it contains none: users enter theirs in it. It
 * loads nothing from elsewhere, and its policy forbids everything else.
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

/** Serves the page to browsers that open `/graphql`; other requests pass. */
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

/** The page with a policy that allows only its own scripts. */
function pageOf(html: string): Page {
  const scripts = [...html.matchAll(/<script>(.*?)<\/script>/gs)].map(([, script = '']) => script);
  const hashes = scripts.map((script) => `'sha256-${createHash('sha256').update(script).digest('base64')}'`);
  const policy = [
    `default-src 'none'; script-src ${hashes.join(' ')}; style-src 'unsafe-inline'; font-src data:; img-src data:`,
    "connect-src 'self'; worker-src blob:; base-uri 'none'; form-action 'none'; frame-ancestors 'none'",
  ].join('; ');
  return { html, policy };
}

/** The renderer is large, so it is loaded on first use. */
async function render(): Promise<Page> {
  const { renderGraphiQL } = await import('@graphql-yoga/render-graphiql');
  return pageOf(renderGraphiQL(options));
}
