import { serveTask } from '../../kit/worker-task.ts';
import { readMailboxMail } from './mailbox-mail.ts';

serveTask((raw: Uint8Array) => readMailboxMail(raw));
