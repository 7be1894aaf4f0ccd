import { serveTask } from '../../kit/worker-task.ts';
import { readIncomingMail } from './incoming-mail.ts';

serveTask((raw: Uint8Array) => readIncomingMail(Buffer.from(raw)));
