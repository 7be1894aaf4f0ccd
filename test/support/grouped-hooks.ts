/*
 * Replaces `node:test` in the files of a group (file-group.ts): hooks apply to the tests and the end of one file. The real
 * ones would apply to all files and the end of the process.
 */
import {
  getTestContext,
  after as realAfter,
  afterEach as realAfterEach,
  before as realBefore,
  beforeEach as realBeforeEach,
} from 'node:test';

export { describe, getTestContext, it, mock, suite, test } from 'node:test';

type Hook = () => unknown;

/** Hooks of the running file. */
let ends: Hook[] = [];
let isOver = { value: false };
/** Whether `endFile` is called after each file. Elsewhere (the machines of test/torture) hooks run when the process ends. */
let isGroup = false;

/** Says that `endFile` is called when a file has ended. */
export function keepHooks(): void {
  isGroup = true;
}

/** `after` of `node:test`, for files, suites and tests. */
export function after(hook: Hook): void {
  if (getTestContext() === undefined) ends.push(hook);
  else realAfter(hook);
}

/** Calls the hook at the end of the file, also when a test registers it. */
export function atEnd(hook: Hook): void {
  if (!isGroup && ends.length === 0) realAfter(endFile);
  ends.push(hook);
}

/** `afterEach` of `node:test`, for files and suites. */
export function afterEach(hook: Hook): void {
  realAfterEach(forThisFile(hook));
}

/** `beforeEach` of `node:test`, for files and suites. */
export function beforeEach(hook: Hook): void {
  realBeforeEach(forThisFile(hook));
}

/** `before` of `node:test`, for suites. A file does its own setup at top level. */
export function before(hook: Hook): void {
  if (getTestContext() === undefined) throw new Error('`before` is for suites: a file awaits what it needs');
  realBefore(hook);
}

function forThisFile(hook: Hook): Hook {
  const file = isOver;
  return () => (file.value ? undefined : hook());
}

/**
 * Calls all hooks of the ended file, the last one first, because later resources may use earlier ones. Throws the first
 * error of a hook after all were called.
 */
export async function endFile(): Promise<void> {
  isOver.value = true;
  isOver = { value: false };
  const hooks = ends;
  ends = [];
  const problems: unknown[] = [];
  for (const hook of hooks.reverse()) {
    try {
      await hook();
    } catch (problem) {
      problems.push(problem);
    }
  }
  if (problems.length > 0) throw problems[0];
}
