import { serveTask } from '../../worker-task.ts';
import { readReturn } from './bounce-reports.ts';

serveTask((raw: Uint8Array) => readReturn(Buffer.from(raw)));
