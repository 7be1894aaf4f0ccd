import { serveTask } from '../../kit/worker-task.ts';
import { readBounce } from './bounce-reports.ts';

serveTask((raw: Uint8Array) => readBounce(Buffer.from(raw)));
