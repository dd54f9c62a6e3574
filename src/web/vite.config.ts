/**
 * Builds the web application into `dist/web`. Nothing is inlined, because the Content-Security-Policy allows no inline
 * scripts or styles. The development server proxies requests for the API to a running service.
 */
import { fileURLToPath } from 'node:url';
import react from '@vitejs/plugin-react';
import { defineConfig, type Plugin } from 'vite';

const root = fileURLToPath(new URL('.', import.meta.url));

/**
 * The oldest browsers that are supported, which are the first with `light-dark()`. For older ones the build would replace it
 * with `prefers-color-scheme`, and the theme that a person chooses would change nothing. Firefox had `:has()` only in 121,
 * `Intl.Segmenter` in 125, and `@property` in 128.
 */
const browsers = ['chrome123', 'edge123', 'firefox128', 'safari17.5'];

/** Loads the font of the text beside the style sheet that names it: later, it would not be used for this page. */
const preloadFont: Plugin = {
  name: 'preload-font',
  transformIndexHtml: {
    order: 'post',
    handler(_html, { bundle = {} }) {
      const fonts = Object.keys(bundle).filter((name) => /\/source-sans-3-.*\.woff2$/.test(name));
      return fonts.map((name) => ({
        tag: 'link',
        attrs: { rel: 'preload', href: `/${name}`, as: 'font', type: 'font/woff2', crossorigin: '' },
        injectTo: 'head',
      }));
    },
  },
};

/**
 * Requests the style sheet before the scripts. Behind them it would wait for one of the six connections of HTTP/1.1, and the
 * first paint for it, although no script is needed for that.
 */
const stylesFirst: Plugin = {
  name: 'styles-first',
  transformIndexHtml: {
    order: 'post',
    handler(html) {
      const [styles = ''] = /\n *<link rel="stylesheet"[^>]*>/.exec(html) ?? [];
      return html.replace(styles, '').replace(/\n *<script type="module"/, `${styles}$&`);
    },
  },
};

/** Documents on one line: the service does not read them as people do. */
const shortDocuments: Plugin = {
  name: 'short-documents',
  transform: {
    filter: { id: /-documents\.ts$/ },
    handler: (code) => code.replace(/`[^`]*`/g, (document) => document.replace(/\s+/g, ' ')),
  },
};

/** The elements of a message are HTML alone, so the table of the attributes of SVG is never looked at. */
const noSvg: Plugin = {
  name: 'no-svg',
  load: {
    filter: { id: /\/property-information\/lib\/svg\.js$/ },
    handler: () => "export { html as svg } from './html.js';",
  },
};

/** What every page needs, in one file: in files of their own, the headers of the answers would be larger than most of them. */
const shared = [
  /\/node_modules\/(react|use-sync-external-store)\//,
  // Of the icons, that of code blocks: menus have it too, so it would be a file.
  /\/lucide-react\/dist\/esm\/(?!icons\/(?!download\b))/,
  /\/src\/web\/api\/(client|graphql|session-ended)\.ts/,
];
const isShared = (id: string) => shared.some((path) => path.test(id));

const service = 'http://127.0.0.1:4000';

export default defineConfig({
  root,
  plugins: [react(), preloadFont, stylesFirst, shortDocuments, noSvg],
  build: {
    outDir: fileURLToPath(new URL('../../dist/web', import.meta.url)),
    emptyOutDir: true,
    target: browsers,
    // All of them have it.
    modulePreload: { polyfill: false },
    // To read a property does nothing else in any of our libraries.
    rolldownOptions: {
      treeshake: { propertyReadSideEffects: false },
      output: { codeSplitting: { groups: [{ name: 'shared', test: isShared }] } },
    },
    assetsInlineLimit: 0,
    chunkSizeWarningLimit: 800,
  },
  server: { proxy: { '/graphql': service, '/attachments': service, '/auth': service, '/api': service } },
});
