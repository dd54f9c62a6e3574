/** Requests to all that is neither REST nor GraphQL: attachments, signing in, what operators ask for, and the web application. */
import { credentials, type GeneratedRequest, type Surroundings } from './generated-request.js';
import { asHeader, hostileText, hostileValue, nearText } from './values.js';

const png = Buffer.from('89504e470d0a1a0a0000000d49484452', 'hex');

export function attachmentRequest(around: Surroundings): GeneratedRequest {
  const { chance, known } = around;
  const path = `/attachments/${encodeURIComponent(known.id(chance, 'att').slice(0, 2000).toWellFormed())}${chance.is(0.05) ? '/x' : ''}`;
  const body = chance.pick([png, 'Hello', Buffer.alloc(20), Buffer.alloc(70_000, 'a'), '']);
  const type = chance.pick(['image/png', 'text/plain', 'application/pdf', 'text/html', '']);
  const conditions = chance.is(0.2)
    ? { 'if-none-match': chance.pick(['*', '"x"', asHeader(hostileText(chance))]), range: 'bytes=0-1,5-' }
    : {};
  const send = (method: string, more: GeneratedRequest['headers'] = {}) => ({
    ...{ about: 'attachments' as const, path, method, headers: { ...credentials(around), ...more } },
  });
  return chance.weighted<() => GeneratedRequest>([
    [4, () => ({ ...send('PUT', { 'content-type': type }), body })],
    [4, () => send(chance.pick(['GET', 'HEAD']), conditions)],
    [1, () => send(chance.pick(['POST', 'DELETE', 'OPTIONS', 'PATCH']))],
  ])();
}

const authPaths = [
  ...['/sign-in/email', '/sign-in/link', '/sign-out', '/revoke-sessions', '/change-password', '/get-session'],
  ...['/methods', '/link', '/link.css', '/sign-in/social', '/callback/openid', '/sign-up/email', '/error', ''],
  ...['/../auth/methods', '/delete-user', '/update-user'],
];

export function authRequest(around: Surroundings): GeneratedRequest {
  const { chance } = around;
  const path = chance.pick(authPaths);
  const isLink = path === '/link';
  const search =
    isLink || chance.is(0.1)
      ? `?token=${encodeURIComponent(linkOf(around).slice(0, 500).toWellFormed())}&error=${chance.pick(['x', '%00', '%ff'])}`
      : '';
  const isPost = chance.is(path.startsWith('/sign') || isLink ? 0.8 : 0.4);
  const headers: Record<string, string> = {
    ...credentials(around),
    ...(chance.is(0.9) ? { origin: 'https://skein.test' } : { origin: chance.pick(['null', 'https://evil.test']) }),
    // Each comes from an address of its own, or the limit for attempts would answer most of them.
    'x-forwarded-for': `198.18.${chance.below(250)}.${chance.below(250)}`,
  };
  const there = { about: 'auth' as const, path: `/auth${path}${search}` };
  const other = () => (chance.is(0.9) ? 'GET' : chance.pick(['HEAD', 'PUT', 'OPTIONS', 'DELETE']));
  if (!isPost) return { ...there, method: other(), headers };
  const isForm = isLink && chance.is(0.9);
  const type = isForm ? 'application/x-www-form-urlencoded' : chance.is(0.9) ? 'application/json' : 'text/plain';
  const body = isForm ? formOf(around) : authBody(around);
  return { ...there, method: 'POST', headers: { ...headers, 'content-type': type }, body };
}

function authBody(around: Surroundings): string {
  const { chance, callers } = around;
  const { email, password } = chance.pick(callers.passwords);
  const wrong = chance.is(0.2) ? password : hostileText(chance).slice(0, 200);
  const none = { $ne: null };
  const callbackURL = chance.pick(['/threads', 'https://evil.test', '//evil.test', hostileText(chance)]);
  const bodies: Record<string, unknown>[] = [
    { email: chance.is(0.5) ? email : hostileText(chance), password: wrong },
    { token: linkOf(around), password: chance.is(0.5) ? undefined : hostileText(chance) },
    { currentPassword: hostileText(chance), newPassword: hostileText(chance), revokeOtherSessions: true },
    { provider: 'openid', callbackURL },
    { email: none, password: none, rememberMe: hostileValue(chance), callbackURL: hostileValue(chance) },
    {},
  ];
  const body = JSON.stringify(chance.pick(bodies));
  return chance.weighted<() => string>([
    [8, () => body],
    [1, () => nearText(chance, body)],
    [1, () => JSON.stringify(hostileValue(chance)) ?? ''],
    [0.3, () => 'x'.repeat(20_000)],
  ])();
}

function linkOf({ chance, callers }: Surroundings): string {
  const link = chance.pick(callers.links);
  return chance.pick([link, nearText(chance, link), hostileText(chance)]);
}

function formOf(around: Surroundings): string {
  const { chance } = around;
  const form = new URLSearchParams({ token: linkOf(around), password: hostileText(chance).slice(0, 200) });
  return chance.is(0.9) ? form.toString() : nearText(chance, form.toString());
}

const webPaths = [
  ...['/', '/index.html', '/threads', '/threads/thr_x', '/settings', '/sign-in', '/start.js', '/icon.svg'],
  ...['/manifest.webmanifest', '/assets/none.js', '/../package.json', '/%2e%2e/%2e%2e/etc/passwd'],
  ...['/assets/..%2f..%2fserver', '/.env', '/%00', '/%ff', '//', '/a//b', '/favicon.ico', '/robots.txt'],
  ...['/api', '/api/', '/api/v2/me', '/problems/not-found'],
];

export function webRequest({ chance }: Surroundings): GeneratedRequest {
  const path = chance.is(0.8)
    ? chance.pick(webPaths)
    : `/${encodeURIComponent(hostileText(chance).slice(0, 3000).toWellFormed())}`;
  const headers: Record<string, string> = {
    ...(chance.is(0.4) ? { accept: chance.pick(['text/html', 'application/json', '*/*']) } : {}),
    ...(chance.is(0.4) ? { 'accept-encoding': chance.pick(['gzip', 'br', 'gzip;q=0, br', 'identity;q=0', 'x']) } : {}),
    ...(chance.is(0.3) ? { 'if-none-match': asHeader(hostileText(chance)), range: 'bytes=0-1' } : {}),
    ...(chance.is(0.1) ? { host: chance.pick(['evil.test', 'skein.test:1', '[::1]']) } : {}),
  };
  const method = chance.is(0.8) ? 'GET' : chance.pick(['HEAD', 'POST', 'PUT', 'DELETE', 'OPTIONS']);
  return { about: 'web', method, path, headers };
}

export function operatorRequest({ chance }: Surroundings): GeneratedRequest {
  const path = chance.pick(['/healthz', '/readyz', '/metrics', '/healthz/', '/metrics?name[]=x', '/readyz?%ff']);
  const method = chance.is(0.8) ? 'GET' : chance.pick(['HEAD', 'POST', 'OPTIONS', 'DELETE']);
  return { about: 'operator', method, path, headers: {} };
}

/** Bytes that are no request, or one that no client library would write. */
export function rawRequest({ chance, callers }: Surroundings): GeneratedRequest {
  const host = 'Host: skein.test\r\n';
  const bearer = `Authorization: Bearer ${callers.tokens[0]}\r\n`;
  const bytes = chance.pick([
    `GET /api/v1/me HTTP/1.1\r\n${host}${host}${bearer}Connection: close\r\n\r\n`,
    `GET /api/v1/me HTTP/1.1\r\n${bearer}Connection: close\r\n\r\n`,
    `GET /api/v1/me HTTP/1.0\r\n${bearer}\r\n`,
    `GET http://[ HTTP/1.1\r\n${host}Connection: close\r\n\r\n`,
    `GET /api/v1/th\u00e9 HTTP/1.1\r\n${host}${bearer}Connection: close\r\n\r\n`,
    `GET /api/v1/threads?q=\u00e9\u0001 HTTP/1.1\r\n${host}${bearer}Connection: close\r\n\r\n`,
    `POST /api/v1/threads HTTP/1.1\r\n${host}${bearer}Content-Type: application/json\r\nContent-Length: 5\r\nTransfer-Encoding: chunked\r\nConnection: close\r\n\r\n0\r\n\r\n`,
    `POST /api/v1/threads HTTP/1.1\r\n${host}${bearer}Content-Type: application/json\r\nTransfer-Encoding: chunked\r\nConnection: close\r\n\r\nzz\r\n`,
    `POST /graphql HTTP/1.1\r\n${host}${bearer}Content-Type: application/json\r\nContent-Length: -1\r\n\r\n`,
    `OPTIONS * HTTP/1.1\r\n${host}Connection: close\r\n\r\n`,
    `CONNECT a:1 HTTP/1.1\r\n${host}\r\n`,
    `GET /api/v1/me HTTP/1.1\r\n${host}Upgrade: websocket\r\nConnection: Upgrade\r\nSec-WebSocket-Version: 13\r\n${bearer}\r\n`,
    `GET /api/v1/me HTTP/1.1\r\n${host}X-Long: ${'x'.repeat(20_000)}\r\n\r\n`,
    `PRI * HTTP/2.0\r\n\r\nSM\r\n\r\n`,
    `\u0016\u0003\u0001 garbage ${asHeader(hostileText(chance))}\r\n\r\n`,
    `GET ${asHeader(hostileText(chance)).trim() || '/'} HTTP/1.1\r\n${host}Connection: close\r\n\r\n`,
    `${'GET /api/v1/me HTTP/1.1\r\n'}${host}${bearer}\r\n`.repeat(5) +
      `GET /healthz HTTP/1.1\r\n${host}Connection: close\r\n\r\n`,
  ]);
  return { about: 'raw', method: 'RAW', path: '', headers: {}, body: bytes };
}
