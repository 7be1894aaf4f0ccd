import assert from 'node:assert/strict';
import { test } from 'node:test';
import { startBrowserTest } from '../support/browser.ts';

const { signedIn } = await startBrowserTest();
const MAX_FIRST_LOAD = 250_000;

for (const language of ['en', 'he'] as const) {
  for (const path of ['/', '/start', '/send', '/messages', '/campaigns']) {
    test(`whoever comes to ${path} first, in ${language}, fetches less than 250 kB of script`, async () => {
      const page = await signedIn({ language });
      const scripts: { url: string; bytes: number; encoding: string | undefined }[] = [];
      page.on('response', async (response) => {
        if (!/\.js$/.test(response.url())) return;
        const { responseBodySize: bytes } = await response.request().sizes();
        scripts.push({ url: response.url(), bytes, encoding: response.headers()['content-encoding'] });
      });
      await page.goto(path);
      await page.getByRole('heading', { level: 1 }).waitFor();
      await page.waitForLoadState('load');
      await page.locator('.mantine-Skeleton-root, [aria-busy=true]').first().waitFor({ state: 'detached' });
      assert.ok(scripts.length > 3, 'routes are split');
      for (const { url, encoding } of scripts) assert.ok(encoding === 'br' || encoding === 'gzip', url);
      const total = scripts.reduce((sum, { bytes }) => sum + bytes, 0);
      assert.ok(total < MAX_FIRST_LOAD, `${total} bytes`);
    });
  }
}
