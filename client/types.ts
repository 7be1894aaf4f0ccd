import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { childEnvironment } from '../server/kit/child-processes.ts';
import { writeTypes } from './write-types.ts';

/* `npm run client:types`: writes src/schema.ts from the description that a fresh service gives of itself. */

const folder = mkdtempSync(join(tmpdir(), 'carillon-types-'));
const service = spawn(process.execPath, ['server/carillon.js', 'start'], {
  stdio: ['ignore', 'pipe', 'inherit'],
  env: childEnvironment({ DATA_DIR: folder, PORT: '0', LOG_LEVEL: 'error', DATABASE_URL: '' }),
});
try {
  const url = await new Promise<string>((resolve, reject) => {
    let said = '';
    service.stdout.setEncoding('utf8').on('data', (text: string) => {
      said += text;
      const ready = /ready on (\S+)/.exec(said);
      if (ready) resolve(ready[1]!);
    });
    service.once('exit', () => reject(new Error('the service did not start')));
  });
  const response = await fetch(`${url}/docs/openapi.json`);
  writeFileSync(join(import.meta.dirname, 'src/schema.ts'), writeTypes((await response.json()) as never));
} finally {
  if (service.exitCode === null) {
    service.kill('SIGTERM');
    await once(service, 'exit');
  }
  rmSync(folder, { recursive: true, force: true });
}
