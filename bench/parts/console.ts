import { setTimeout as pause } from 'node:timers/promises';
import { type Browser, chromium, type Page } from 'playwright-core';
import { buildConsole } from '../../console/build.ts';
import { findChromium } from '../../test/support/chromium.ts';
import { BULK_SIZE } from '../support/compared.ts';
import { type Field, flow, quiet } from '../support/field.ts';
import { markdown } from '../support/markdown.ts';
import { quantile, show } from '../support/statistics.ts';
import { until } from '../support/wait.ts';
import { startCarillon } from '../systems/carillon.ts';
import type { LoadTarget } from '../systems/requests.ts';

/** Messages in the list that is scrolled to its end. */
const ROWS = 10_000;
const WINDOW = { width: 1280, height: 860 };
const PASSWORD = 'a password for the bench';
/** Pixels a second: 180 rows of 41 pixels, as a strong turn of the wheel. */
const SCROLL_SPEED = 7_500;
/** Pixels of one gesture. */
const SCROLL_STEP = 15_000;

export interface ConsoleOptions {
  readonly field: Field;
  readonly folder: string;
  readonly rounds: number;
  readonly progress: (line: string) => void;
}

/** Milliseconds from the click on an entry of the navigation to the frame that shows its page with its data. */
interface Visit {
  readonly path: string;
  readonly first: readonly number[];
  /** Visits after the first one, when scripts and data are there. */
  readonly again: readonly number[];
}

interface Scroll {
  readonly seconds: number;
  /** Milliseconds between two frames, of all rounds. */
  readonly frameMedian: number;
  readonly frameP99: number;
  readonly frameMax: number;
  /** Tasks of more than 50 ms of the main thread (Long Tasks API), and the longest, in milliseconds. */
  readonly longTasks: number;
  readonly longestTask: number;
  /** Maximum number of rows in the page. */
  readonly mostRows: number;
}

export interface ConsoleBench {
  readonly visits: readonly Visit[];
  /** Through all rows while they are fetched, and back through the fetched ones. */
  readonly down: Scroll;
  readonly up: Scroll;
}

/** Measures the pages of the console in Chromium: navigation, and a list of 10,000 messages that is scrolled through. */
export async function consolePages(options: ConsoleOptions): Promise<ConsoleBench> {
  const { field, folder, rounds, progress } = options;
  await buildConsole();
  const carillon = await startCarillon({
    smscPort: field.smscPort,
    callbackPort: field.callbackPort,
    folder,
  });
  const target = carillon.target as LoadTarget & { kind: 'carillon' };
  await carillon.command('person', 'add', 'bench', '--account', target.username, '--password', PASSWORD);
  await flow(field, carillon, { connections: 4, requests: ROWS / BULK_SIZE, size: BULK_SIZE, first: 0 });
  await quiet(field, [carillon]);
  const { path: executablePath, environment } = findChromium();
  const browser = await chromium.launch({
    executablePath,
    env: { ...(process.env as Record<string, string>), ...environment },
    args: ['--no-sandbox', '--disable-dev-shm-usage'],
  });
  try {
    const visits: Visit[] = [];
    const scrolls: { down: Measured[]; up: Measured[] } = { down: [], up: [] };
    for (let round = 0; round < rounds; round++) {
      const page = await signIn(browser, `http://127.0.0.1:${target.port}`);
      for (const [at, visit] of (await visitSections(page)).entries()) {
        const before = visits[at] ?? { path: visit.path, first: [], again: [] };
        visits[at] = {
          path: visit.path,
          first: [...before.first, visit.first],
          again: [...before.again, ...visit.again],
        };
      }
      progress(
        visits.map(({ path, first, again }) => `${path} ${first.at(-1)}, ${again.at(-1)} ms`).join('; '),
      );
      await page.goto('/messages');
      await page.locator('tbody tr').nth(20).waitFor();
      scrolls.down.push(await scroll(page, 1));
      scrolls.up.push(await scroll(page, -1));
      progress(
        `scrolled in ${show(scrolls.down.at(-1)!.seconds, 1)} and ${show(scrolls.up.at(-1)!.seconds, 1)} s`,
      );
      await page.context().close();
    }
    return { visits, down: joined(scrolls.down), up: joined(scrolls.up) };
  } finally {
    await browser.close();
    await carillon.stop();
  }
}

async function signIn(browser: Browser, baseURL: string): Promise<Page> {
  const context = await browser.newContext({ baseURL, viewport: WINDOW, locale: 'en-GB' });
  const page = await context.newPage();
  const answer = await page.request.post('/v1/session', {
    data: { username: 'bench', password: PASSWORD },
    headers: { 'X-Carillon-CSRF': '1' },
  });
  if (!answer.ok()) throw new Error(`no session: ${await answer.text()}`);
  await page.goto('/');
  await page.getByRole('heading', { level: 1 }).waitFor();
  return page;
}

/** Milliseconds from the arrival of the pointer at a link to the click. */
const HOVER_MS = 200;
/** Times that each section is visited after the first one. */
const REPEATS = 5;

/*
 * Scripts of the page are strings: the types of the page are not those of this program.
 */

/** Clicks a link, and resolves with the milliseconds until its page was drawn without placeholders. */
const visitScript = (path: string) => `new Promise((done) => {
  const link = document.querySelector('.navigation a[href="${path}"]');
  const before = document.querySelector('h1');
  const startedAt = performance.now();
  link.click();
  (function look() {
    const heading = document.querySelector('h1');
    const isThere = location.pathname === '${path}' && heading !== null && heading !== before &&
      document.querySelector('.mantine-Skeleton-root, [aria-busy=true]') === null;
    requestAnimationFrame(isThere ? () => done(Math.round(performance.now() - startedAt)) : look);
  })();
})`;

async function visitSections(page: Page): Promise<{ path: string; first: number; again: number[] }[]> {
  const paths = await page.evaluate<string[]>(
    `[...document.querySelectorAll('.navigation a')].map((link) => link.getAttribute('href'))`,
  );
  // The page that is open comes last.
  const order = [...paths.filter((path) => path !== '/'), '/'];
  const visits = order.map((path) => ({ path, first: 0, again: [] as number[] }));
  for (let round = 0; round <= REPEATS; round++) {
    for (const visit of visits) {
      // As long before the click as a hand takes.
      await page.locator(`.navigation a[href="${visit.path}"]`).hover();
      await pause(HOVER_MS);
      const took = await page.evaluate<number>(visitScript(visit.path));
      if (round === 0) visit.first = took;
      else visit.again.push(took);
    }
  }
  return visits;
}

interface Measured {
  readonly seconds: number;
  readonly frames: readonly number[];
  readonly tasks: readonly number[];
  readonly mostRows: number;
}

const watchScript = `(() => {
  const measured = { frames: [], tasks: [], mostRows: 0, isRunning: true };
  window.measured = measured;
  new PerformanceObserver((list) => {
    if (measured.isRunning) for (const { duration } of list.getEntries()) measured.tasks.push(duration);
  }).observe({ entryTypes: ['longtask'] });
  let before;
  requestAnimationFrame(function frame(now) {
    if (before !== undefined) measured.frames.push(now - before);
    before = now;
    measured.mostRows = Math.max(measured.mostRows, document.querySelectorAll('tbody tr').length);
    if (measured.isRunning) requestAnimationFrame(frame);
  });
})()`;

/** Scrolls a list to its end, or back to its beginning. */
async function scroll(page: Page, direction: 1 | -1): Promise<Measured> {
  const devTools = await page.context().newCDPSession(page);
  const isOver =
    direction === 1
      ? `document.querySelector('.more-rows') === null && innerHeight + scrollY >= document.body.scrollHeight - 2`
      : 'scrollY === 0';
  await page.evaluate(watchScript);
  const startedAt = performance.now();
  await until(
    async () => {
      await devTools.send('Input.synthesizeScrollGesture', {
        x: WINDOW.width / 2,
        y: WINDOW.height / 2,
        yDistance: -direction * SCROLL_STEP,
        speed: SCROLL_SPEED,
        gestureSourceType: 'mouse',
      });
      return page.evaluate<boolean>(isOver);
    },
    'the list is scrolled through',
    { withinMs: 600_000, everyMs: 1 },
  );
  const seconds = (performance.now() - startedAt) / 1_000;
  const measured = await page.evaluate<Omit<Measured, 'seconds'>>(
    '(window.measured.isRunning = false, window.measured)',
  );
  return { ...measured, seconds };
}

function joined(rounds: readonly Measured[]): Scroll {
  const frames = rounds.flatMap((round) => round.frames);
  const tasks = rounds.flatMap((round) => round.tasks);
  return {
    seconds: quantile(
      rounds.map((round) => round.seconds),
      0.5,
    ),
    frameMedian: quantile(frames, 0.5),
    frameP99: quantile(frames, 0.99),
    frameMax: quantile(frames, 1),
    longTasks: tasks.length / rounds.length,
    longestTask: quantile(tasks, 1),
    mostRows: quantile(
      rounds.map((round) => round.mostRows),
      1,
    ),
  };
}

export function consoleTable({ visits, down, up }: ConsoleBench): string {
  const times = (values: readonly number[]) => [
    `${show(quantile(values, 0.5))} ms`,
    `${show(quantile(values, 1))} ms`,
  ];
  const scrolled = (what: string, it: Scroll) => [
    what,
    `${show(it.seconds, 1)} s`,
    `${show(it.frameMedian, 1)}, ${show(it.frameP99, 1)}, ${show(it.frameMax)} ms`,
    `${show(it.longTasks, 1)}, ${show(it.longestTask)} ms`,
    show(it.mostRows),
  ];
  return [
    'From a click in the navigation to the page with its data:',
    markdown(
      ['', 'first visit: median', 'slowest', 'later visits: median', 'slowest'],
      visits.map(({ path, first, again }) => [path, ...times(first), ...times(again)]),
    ),
    `A list of ${show(ROWS)} messages, ${show(SCROLL_SPEED)} pixels a second:`,
    markdown(
      [
        '',
        'time',
        'frames: median, p99, longest',
        'tasks over 50 ms a round, longest',
        'most rows in the page',
      ],
      [scrolled('down, while rows are fetched', down), scrolled('up', up)],
    ),
  ].join('\n\n');
}
