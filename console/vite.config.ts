import react from '@vitejs/plugin-react';
import { defineConfig } from 'vite';
import { mantineStyles } from './mantine-styles.ts';
import { firstRequests } from './page.ts';

/** Address of the service while `npm run console` serves the pages. */
const service = process.env.CARILLON_URL ?? 'http://127.0.0.1:8080';

/** Placeholder that the server replaces with a fresh nonce in every page (server/api/console/plugin.ts). */
const NONCE = '__CSP_NONCE__';

export default defineConfig({
  root: import.meta.dirname,
  plugins: [react(), mantineStyles(), firstRequests()],
  html: { cspNonce: NONCE },
  build: {
    outDir: 'dist',
    emptyOutDir: true,
    target: 'es2022',
    // Files as data: addresses would need a wider Content-Security-Policy.
    assetsInlineLimit: 0,
    // An inline script otherwise; the browsers that need it are older than `target`.
    modulePreload: { polyfill: false },
  },
  server: {
    port: 5173,
    proxy: Object.fromEntries(['/v1', '/api', '/docs', '/chat-api'].map((path) => [path, service])),
  },
});
