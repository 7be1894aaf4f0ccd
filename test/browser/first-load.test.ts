import assert from 'node:assert/strict';
import { test } from 'node:test';
import { startBrowserTest } from '../support/browser.ts';

const { signedIn } = await startBrowserTest();
const MAX_FIRST_LOAD = 250_000;
/** How often in a row the page is idle with nothing more asked for. */
const IDLE_LOOKS = 5;

const isScript = (url: string) => /\.js$/.test(url);

for (const language of ['en', 'he'] as const) {
  for (const path of ['/', '/start', '/send', '/messages', '/campaigns']) {
    test(`the first visit to ${path} in ${language} fetches less than 250 kB of script`, async () => {
      const page = await signedIn({ language });
      const scripts: { url: string; bytes: number; encoding: string | undefined }[] = [];
      let requested = 0;
      page.on('request', (request) => {
        if (isScript(request.url())) requested++;
      });
      page.on('response', async (response) => {
        if (!isScript(response.url())) return;
        const { responseBodySize: bytes } = await response.request().sizes();
        scripts.push({ url: response.url(), bytes, encoding: response.headers()['content-encoding'] });
      });
      await page.goto(path);
      await page.getByRole('heading', { level: 1 }).waitFor();
      await page.waitForLoadState('load');
      await page.locator('.mantine-Skeleton-root, [aria-busy=true]').first().waitFor({ state: 'detached' });
      // A part of the page may ask for another one when it is shown: until the page is idle with nothing under way.
      for (let idle = 0, before = 0; idle < IDLE_LOOKS; before = requested) {
        await page.evaluate('new Promise((resolve) => requestIdleCallback(resolve))');
        idle = requested === before && scripts.length === requested ? idle + 1 : 0;
      }
      assert.ok(scripts.length > 3, 'routes are split');
      for (const { url, encoding } of scripts) assert.ok(encoding === 'br' || encoding === 'gzip', url);
      const total = scripts.reduce((sum, { bytes }) => sum + bytes, 0);
      assert.ok(total < MAX_FIRST_LOAD, `${total} bytes`);
    });
  }
}
