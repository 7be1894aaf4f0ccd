import { promisify } from 'node:util';
import SMTPConnection from 'nodemailer/lib/smtp-connection';
import { type Trial, TrialSteps } from '../../engine/carriers/trial.ts';
import type { RelaySettings } from './relay.ts';
import { connectionOptions } from './relay-pool.ts';

/** Connects to a relay (EHLO, STARTTLS according to its settings), signs in if it has a user, and disconnects. */
export async function tryRelay(settings: RelaySettings): Promise<Trial> {
  const steps = new TrialSteps();
  const { user, password, isSecure } = settings;
  const connection = new SMTPConnection(connectionOptions(settings));
  const { promise: broken, reject } = Promise.withResolvers<never>();
  broken.catch(() => {});
  connection.on('error', reject);
  try {
    const isConnected = await steps.do(isSecure ? 'connect TLS, EHLO' : 'connect, EHLO', async () => {
      const { promise: connected, resolve } = Promise.withResolvers<void>();
      connection.connect(() => resolve());
      await Promise.race([connected, broken]);
      return connection.secure ? 'TLS' : 'without TLS';
    });
    if (!isConnected || user === null) return steps.trial;
    const login = promisify(connection.login.bind(connection));
    await steps.do('AUTH', async () => {
      await Promise.race([login({ credentials: { user, pass: password ?? '' } }), broken]);
      return 'accepted';
    });
    return steps.trial;
  } finally {
    connection.close();
  }
}
