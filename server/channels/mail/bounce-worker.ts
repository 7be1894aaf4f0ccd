import { serveTask } from '../../worker-task.ts';
import { readBounce } from './bounce-reports.ts';

serveTask((raw: Uint8Array) => readBounce(Buffer.from(raw)));
