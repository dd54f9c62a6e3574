/** Tests of a service whose people may sign in with a provider of OpenID Connect. */
import { serviceTest } from '../../support/fixtures/service.js';
import { client, Provider } from './provider.js';

export const it = serviceTest()
  .extend('provider', { scope: 'file' }, () => Provider.start())
  .extend('service', { scope: 'file' }, ({ provider, startService }, { onCleanup }) => {
    onCleanup(() => provider.close());
    const environment = { OIDC_ISSUER: provider.issuer, OIDC_CLIENT_ID: client.id, OIDC_CLIENT_SECRET: client.secret };
    return startService({ environment: { ...environment, OIDC_NAME: 'Acme ID' } });
  });
