import { runChild } from '../kit/child-processes.ts';
import type { Logger } from '../kit/observability/log.ts';

/**
 * Tells systemd that the service has started or begins to stop, where it asks (`Type=notify`); does nothing elsewhere. Node has no
 * datagrams on Unix sockets, so the program systemd-notify sends them. A failure is logged: systemd ends the start then.
 */
export async function tellServiceManager(state: 'READY=1' | 'STOPPING=1', log: Logger): Promise<void> {
  const { NOTIFY_SOCKET } = process.env;
  if (!NOTIFY_SOCKET) return;
  try {
    await runChild('systemd-notify', [state], { environment: { NOTIFY_SOCKET } });
  } catch (error) {
    log.error({ err: error, state }, 'systemd not told');
  }
}
