import assert from 'node:assert/strict';
import { mkdirSync, readFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { join } from 'node:path';
import { getTestContext } from 'node:test';
import type { AxeResults, ElementContext, RunOptions } from 'axe-core';
import {
  type Browser,
  type BrowserContext,
  type BrowserContextOptions,
  chromium,
  type Page,
} from 'playwright-core';
import { findChromium } from './chromium.ts';
import { atEnd } from './database.ts';
import { once } from './once.ts';
import { DEMO_PASSWORD, startTestService, type TestService } from './service.ts';
import { waitFor } from './wait-for.ts';

/** Folder for the screenshots of a run with TEST_SCREENSHOTS=on. Making them takes a third of the time of a walk. */
export const SCREENSHOTS =
  process.env.TEST_SCREENSHOTS === 'on' && join(import.meta.dirname, '../../artefacts/screenshots');
/**
 * Milliseconds that TEST_SLOW_PAGES adds to each answer that a page gets, as a mobile network does. What happens in another
 * order then would happen in it on a busy machine too.
 */
const SLOWNESS_MS = Number(process.env.TEST_SLOW_PAGES ?? 0);
/** Milliseconds to wait for the page, enough for a browser on two busy cores. */
const PATIENCE_MS = 60_000;
/** Characters of a page that a failed test reports. */
const SHOWN_CHARACTERS = 3_000;
const axe = readFileSync(createRequire(import.meta.url).resolve('axe-core/axe.min.js'), 'utf8');

export type Language = 'en' | 'he';
export type Theme = 'light' | 'dark';

export interface Look {
  readonly language?: Language;
  readonly theme?: Theme;
  readonly viewport?: { width: number; height: number };
  /** Time zone of the browser. */
  readonly timezoneId?: string;
}

export interface BrowserTest {
  readonly service: TestService;
  /**
   * Opens a window without cookies or storage, until the test ends, or until the file ends when called outside a test.
   * Errors in its pages fail the file at its end.
   */
  visit(look?: Look): Promise<Page>;
  /** The same, signed in as the owner of the demo account, or as whom one names. */
  signedIn(look?: Look, who?: { username: string; password: string }): Promise<Page>;
}

/**
 * Starts a service with its sandbox, and a browser for all files of the process. `expected` matches errors that the pages
 * are expected to log.
 */
export async function startBrowserTest(
  settings: Record<string, string> = {},
  expected?: RegExp,
  options: Omit<Parameters<typeof startTestService>[0] & {}, 'settings'> = {},
): Promise<BrowserTest> {
  const service = await startTestService({ ...options, settings });
  const browser = await once('browser', launch, async (launched) => (await launched).close());
  const faults: string[] = [];
  const windows = new Set<BrowserContext>();
  const close = async (window: BrowserContext) => {
    windows.delete(window);
    await window.close();
  };
  atEnd(async () => {
    await Promise.all([...windows].map(close));
    assert.deepEqual(faults, [], 'faults in the pages');
  });
  async function visit(look: Look = {}): Promise<Page> {
    const testContext = getTestContext();
    const context = await browser.newContext(contextOf(service.url, look));
    windows.add(context);
    context.setDefaultTimeout(PATIENCE_MS);
    await keepLanguage(context, look.language ?? 'en');
    const page = await context.newPage();
    if (SLOWNESS_MS > 0) await slowDown(page, SLOWNESS_MS);
    if (testContext && 'after' in testContext) {
      testContext.after(async () => {
        // The types of Node do not have the error yet.
        const { cause } = (testContext as { error?: Error }).error ?? {};
        if (cause instanceof Error) cause.stack = `${cause.stack}\n${await describePage(page)}`;
        // A page left open would keep its live stream to the service.
        await close(context);
      });
    }
    page.on('pageerror', (error) => faults.push(`${page.url()}: ${error.message}`));
    page.on('console', (message) => {
      // The page itself displays 4xx responses; all other errors in the browser's console are faults of ours.
      if (message.type() !== 'error' || /status of 4\d\d/.test(message.text())) return;
      if (expected?.test(message.text())) return;
      faults.push(`${page.url()}: ${message.text()}`);
    });
    return page;
  }
  return {
    service,
    visit,
    async signedIn(look, { username, password } = { username: 'demo', password: DEMO_PASSWORD }) {
      const page = await visit(look);
      const answer = await page.request.post('/v1/session', {
        data: { username, password },
        headers: { 'X-Carillon-CSRF': '1' },
      });
      assert.equal(answer.status(), 200, await answer.text());
      return page;
    },
  };
}

/** Delays each answer that a page gets by this many milliseconds. */
export async function slowDown(page: Page, latency: number): Promise<void> {
  const session = await page.context().newCDPSession(page);
  await session.send('Network.enable');
  await session.send('Network.emulateNetworkConditions', {
    offline: false,
    latency,
    downloadThroughput: -1,
    uploadThroughput: -1,
  });
}

/** Returns the address of a page, and its content and dialogs as a screen reader finds them. */
async function describePage(page: Page): Promise<string> {
  const parts = await page.locator('main, [role=dialog], [role=alert]').all();
  const content = await Promise.all(parts.map((part) => part.ariaSnapshot({ timeout: 5_000 }))).catch(
    ({ message }: Error) => [message],
  );
  return [`${page.url()} when the test failed:`, ...content].join('\n').slice(0, SHOWN_CHARACTERS);
}

function launch(): Promise<Browser> {
  const { path, environment } = findChromium();
  return chromium.launch({
    executablePath: path,
    env: { ...(process.env as Record<string, string>), ...environment },
    // Containers of CI run as root, where Chromium's own sandbox does not start.
    args: [
      '--no-sandbox',
      '--disable-dev-shm-usage',
      '--lang=en-US',
      // A microphone that beeps.
      '--use-fake-device-for-media-stream',
      '--use-fake-ui-for-media-stream',
    ],
  });
}

function contextOf(baseURL: string, { language, theme, viewport, timezoneId }: Look): BrowserContextOptions {
  return {
    baseURL,
    locale: language === 'he' ? 'he-IL' : 'en-GB',
    colorScheme: theme ?? 'light',
    viewport: viewport ?? { width: 1280, height: 860 },
    reducedMotion: 'reduce',
    timezoneId: timezoneId ?? 'Asia/Jerusalem',
    permissions: ['clipboard-read', 'clipboard-write'],
    acceptDownloads: true,
  };
}

async function keepLanguage(context: BrowserContext, language: Language): Promise<void> {
  // Frames with emails have an opaque origin and no storage.
  await context.addInitScript({
    content: `if (origin !== 'null') localStorage.setItem('carillon-language', '${language}')`,
  });
}

/**
 * Runs in the page: waits until colour transitions have ended. It requests a frame, because a background window may not draw
 * any.
 */
const TRANSITIONS_OVER = `new Promise((done) => requestAnimationFrame(done)).then(() => Promise.allSettled(
  document.getAnimations().filter((one) => one instanceof CSSTransition).map((one) => one.finished)))`;

/** Rules that matter to people who move by headings of tables and by regions, though axe calls them moderate or minor. */
const alsoRefused = new Set(['landmark-unique', 'empty-table-header']);

/**
 * Fails when axe finds a serious or critical violation on the page, or one of `alsoRefused`.
 *
 * @param without CSS selector of a part of the page to exclude
 * @param rules ids of the rules to check; all rules by default
 */
export async function assertAccessible(
  page: Page,
  { without, rules }: { readonly without?: string | undefined; readonly rules?: string[] | undefined } = {},
): Promise<void> {
  await page.evaluate(TRANSITIONS_OVER);
  // Passed as text: the pages' policy blocks foreign script elements.
  if (!(await page.evaluate("'axe' in window"))) await page.evaluate(axe);
  const { violations } = await page.evaluate(
    ([selector, runOnly]) =>
      (
        globalThis as unknown as { axe: { run(context: ElementContext, options: RunOptions): unknown } }
      ).axe.run(
        { exclude: selector === undefined ? [] : [selector] },
        // No description of the elements that keep the rules.
        { resultTypes: ['violations'], ...(runOnly && { runOnly }) },
      ) as Promise<AxeResults>,
    [without, rules] as const,
  );
  const serious = violations
    .filter(({ id, impact }) => impact === 'serious' || impact === 'critical' || alsoRefused.has(id))
    .map(
      ({ id, nodes }) =>
        `${id}: ${nodes.map(({ html, any }) => [html, ...any.map(({ message }) => message)].join(' ')).join('\n   ')}`,
    );
  assert.deepEqual(serious, [], `what axe finds on ${page.url()}`);
}

/** Waits until nothing is wider than the window: charts and tables find their place after it has changed. */
export async function assertFits(page: Page): Promise<void> {
  // A string, because the types of the page are not those of this program, and evaluated from outside, because the pages'
  // policy forbids `eval`. It requests a frame: a background window may not draw any, and its transitions would not advance.
  const excess = `new Promise((done) => requestAnimationFrame(() =>
    done(document.documentElement.scrollWidth - document.documentElement.clientWidth)))`;
  await waitFor(
    `${page.url()} is no wider than the window`,
    async () => (await page.evaluate<number>(excess)) <= 0,
  );
}

/** Keeps a picture of the window as an artefact of the run, when it is to have some. */
export async function keepScreenshot(page: Page, name: string): Promise<void> {
  if (SCREENSHOTS === false) return;
  mkdirSync(SCREENSHOTS, { recursive: true });
  await page.screenshot({ path: join(SCREENSHOTS, `${name}.png`), animations: 'disabled' });
}
