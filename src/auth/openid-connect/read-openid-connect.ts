import type { EnvironmentReader } from '../../platform/environment/environment-reader.js';
import type { OpenIdConnect } from './openid-connect.js';

/**
 * Reads the configuration of the OpenID Connect provider; null if none is set. Either all of its variables are required
 * or none.
 */
export function readOpenIdConnect(read: EnvironmentReader): OpenIdConnect | null {
  const issuer = read.url('OIDC_ISSUER', ['https:', 'http:']);
  const clientId = read.text('OIDC_CLIENT_ID');
  const clientSecret = read.text('OIDC_CLIENT_SECRET');
  const missingEmailVerified = read.choice('OIDC_MISSING_EMAIL_VERIFIED', ['refuse', 'accept'], 'refuse');
  if (issuer && clientId && clientSecret) {
    const name = read.text('OIDC_NAME') ?? new URL(issuer).hostname;
    return { issuer, clientId, clientSecret, name, acceptsMissingEmailVerified: missingEmailVerified === 'accept' };
  }
  const names = ['OIDC_ISSUER', 'OIDC_CLIENT_ID', 'OIDC_CLIENT_SECRET'];
  const missing = names.filter((name) => !read.text(name));
  if (missing.length < names.length) {
    for (const name of missing) read.problems.push(`${name}: OpenID Connect needs it too`);
  }
  return null;
}
