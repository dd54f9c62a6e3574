/**
 * Builds the web application into `dist/web`. Nothing is inlined, because the Content-Security-Policy allows no inline
 * scripts or styles. The development server proxies requests for the API to a running service.
 */
import { fileURLToPath } from 'node:url';
import react from '@vitejs/plugin-react';
import { defineConfig } from 'vite';

const root = fileURLToPath(new URL('.', import.meta.url));
const service = 'http://127.0.0.1:4000';

export default defineConfig({
  root,
  plugins: [react()],
  build: {
    outDir: fileURLToPath(new URL('../../dist/web', import.meta.url)),
    emptyOutDir: true,
    assetsInlineLimit: 0,
    chunkSizeWarningLimit: 800,
  },
  server: { proxy: { '/graphql': service, '/attachments': service, '/auth': service, '/api': service } },
});
