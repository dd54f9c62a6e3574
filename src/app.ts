/**
 * The HTTP server as a list of middleware, in order: what every answer needs, the error boundary, then REST under
 * both prefixes, operator routes, GraphQL over both transports, attachments, sign-in, and the web application last.
 */
import Koa from 'koa';
import type { Logger } from 'pino';
import type { SignIn } from './auth/sign-in.js';
import { createMaskError } from './graphql/errors/mask-error.js';
import { createGateway } from './graphql/gateway/gateway.js';
import { graphiql } from './graphql/graphiql.js';
import { graphqlOverHttp } from './graphql/http.js';
import { StreamQuota } from './graphql/limits/stream-quota.js';
import { defaultGraphqlSettings, type GraphqlSettings } from './graphql/settings.js';
import { graphqlOverSse } from './graphql/sse/endpoint.js';
import { createGraphQL } from './graphql/yoga.js';
import { allowedMethods } from './http/allowed-methods.js';
import { compression } from './http/answers/compression.js';
import { minimumReadRate } from './http/answers/minimum-read-rate.js';
import { crossOrigin } from './http/cors.js';
import { checkHead } from './http/host-header.js';
import { hsts } from './http/hsts.js';
import { errorBoundary } from './http/problems/error-boundary.js';
import { demandRate } from './http/read-body.js';
import type { ServiceMetrics } from './platform/metrics/service-metrics.js';
import { rateHeaders } from './platform/rates/rate-headers.js';
import { prefixes } from './rest/endpoints.js';
import { createRestRouter } from './rest/router.js';
import { defaultSseTimes } from './rest/sse.js';
import { attachmentRoutes } from './routes/attachments.js';
import { authRoutes } from './routes/auth.js';
import { authMethodsOf } from './routes/auth-methods.js';
import { type OperatorOptions, operatorMethodsOf, operatorRoutes } from './routes/operator.js';
import { webFiles } from './routes/web-files.js';
import type { Services } from './services.js';

export interface AppOptions {
  services: Services;
  operator: OperatorOptions;
  signIn: SignIn;
  /** The folder with the build of the web application. */
  webFolder: string;
  sse?: { pingMs: number; stallMs: number };
  graphql?: Partial<GraphqlSettings>;
}

export function createApp({ services, operator, signIn, webFolder, sse = defaultSseTimes, graphql }: AppOptions): Koa {
  const settings = { ...defaultGraphqlSettings, ...graphql };
  const maskError = createMaskError(services.logger.child({ part: 'operations' }));
  const streams = new StreamQuota(settings.streams);
  services.metrics.countStreams = () => streams.total;
  const yoga = createGraphQL(services, maskError, settings, streams);
  const gateway = createGateway({ services, maskError, settings, streams });
  const app = new Koa();
  app.on('error', reportTo(services));
  app.use((ctx, next) => {
    demandRate(ctx.req, services.bodyRate);
    return next();
  });
  app.use(hsts(services.publicUrl));
  app.use(minimumReadRate(services.bodyRate));
  app.use(compression());
  app.use(errorBoundary(services));
  app.use(checkHead());
  app.use(crossOrigin());
  app.use(rateHeaders());
  // Before what only other paths need: most requests are of REST.
  for (const prefix of prefixes) {
    app.use(createRestRouter({ gateway, prefix, publicUrl: services.publicUrl, sse }));
  }
  app.use(allowedMethods(operatorMethodsOf));
  app.use(operatorRoutes(operator));
  if (settings.graphiql) app.use(graphiql());
  const { limitsHit } = services.metrics;
  app.use(graphqlOverHttp(yoga, { ...settings, limitsHit }));
  app.use(graphqlOverSse(yoga, { ...settings, limitsHit }));
  app.use(attachmentRoutes({ services, maskError }));
  app.use(allowedMethods(authMethodsOf(signIn)));
  app.use(authRoutes({ services, signIn, maskError }));
  app.use(webFiles({ folder: webFolder }));
  return app;
}

interface OperatorAppOptions {
  logger: Logger;
  metrics: ServiceMetrics;
  operator: OperatorOptions;
}

/** The server of a worker-only process: operator routes and nothing else. */
export function createOperatorApp({ logger, metrics, operator }: OperatorAppOptions): Koa {
  const app = new Koa();
  app.on('error', reportTo({ logger }));
  // Only probes come here.
  app.use(errorBoundary({ logger, metrics, tracing: null }));
  app.use(checkHead());
  app.use(allowedMethods(operatorMethodsOf));
  app.use(operatorRoutes(operator));
  return app;
}

/**
 * Logs errors that occur after the response has begun. A caller who disconnected, or does not speak HTTP, is no error
 * of ours.
 */
function reportTo({ logger }: { logger: Logger }): (error: unknown) => void {
  const usual = new Set(['ECONNRESET', 'EPIPE', 'ERR_STREAM_PREMATURE_CLOSE']);
  return (error) => {
    const { code } = error as { code?: string };
    if (code && (usual.has(code) || code.startsWith('HPE_'))) logger.debug({ code }, 'a caller disconnected');
    else logger.error({ err: error }, 'a request failed after its response had begun');
  };
}
