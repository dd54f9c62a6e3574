/** Orval's `fetch` client with a function of the caller's own, which knows the address of the service and its token. */
export default {
  skein: {
    input: 'openapi.json',
    output: {
      target: 'generated/orval.ts',
      client: 'fetch',
      override: { mutator: { path: 'callers/orval-fetch.ts', name: 'send', extension: '.js' } },
    },
  },
};
