import { spawn } from 'node:child_process';
import { readdirSync } from 'node:fs';
import { startTestServer } from './support/database.ts';

/*
 * Runs the tests against one PostgreSQL of their own; each file makes its own databases on it. Arguments name
 * files or folders below test/ (default: all of them).
 */
const wanted = process.argv.slice(2);
const files = readdirSync('test', { recursive: true, encoding: 'utf8' })
  .map((file) => `test/${file.replaceAll('\\', '/')}`)
  .filter((file) => file.endsWith('.test.ts'))
  .filter((file) => wanted.length === 0 || wanted.some((part) => file.includes(part)))
  .sort();
const { server, stop } = await startTestServer();
const runner = spawn(
  process.execPath,
  ['--test', '--test-reporter=spec', '--test-timeout=180000', '--test-concurrency=3', ...files],
  {
    stdio: 'inherit',
    env: { ...process.env, NODE_ENV: 'test', CARILLON_TEST_SERVER: JSON.stringify(server) },
  },
);
for (const signal of ['SIGINT', 'SIGTERM'] as const) process.on(signal, () => runner.kill(signal));
const code = await new Promise<number>((resolve) => runner.once('exit', (status) => resolve(status ?? 1)));
await stop();
process.exit(code);
