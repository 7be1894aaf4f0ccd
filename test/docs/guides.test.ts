import assert from 'node:assert/strict';
import { readdirSync } from 'node:fs';
import { join } from 'node:path';
import { after, test } from 'node:test';
import { systemClock } from '../../server/kit/clock.ts';
import { createLogger } from '../../server/kit/observability/log.ts';
import { SandboxSmsc } from '../../server/sandbox/smsc/smsc.ts';
import { dataFolder, startService } from '../commands/support.ts';
// Guides have programs in these languages.
import '../support/php.ts';
import '../support/python.ts';
import { DEMO_TOKEN } from '../support/service.ts';
import { followGuide, root } from './guide-blocks.ts';

/* The guides are followed word by word, by the real program and the languages that they name. */

const sandbox = {
  DATA_DIR: dataFolder(),
  LOG_LEVEL: 'error',
  CARILLON_DEMO_TOKEN: DEMO_TOKEN,
  // For the guides that move programs of other gateways.
  KANNEL_API: 'on',
  JASMIN_API: 'on',
  TWILIO_API: 'on',
};
const inSandbox = [
  'first-message-php.md',
  'first-message-python.md',
  'first-message-node.md',
  'move-from-another-gateway.md',
  'move-from-kannel.md',
  'move-from-jasmin.md',
  'move-from-twilio.md',
  'run-a-campaign.md',
  'connect-whatsapp.md',
  'back-up.md',
];
/** The first looks at a service that nobody has used. */
const inProduction = ['go-to-production.md', 'connect-a-carrier.md'];

const { url } = await startService(sandbox);

for (const guide of inSandbox) {
  test(`${guide} leads where it says`, () =>
    followGuide(guide, url, { DATA_DIR: sandbox.DATA_DIR, CARILLON_TOKEN: DEMO_TOKEN }));
}

test('with a carrier', async (t) => {
  const smsc = new SandboxSmsc({
    accounts: { systemId: 'password' },
    log: createLogger('silent'),
    clock: systemClock,
    receiptDelayMs: 5,
    redeliverMs: 10,
  });
  after(() => smsc.close());
  const port = await smsc.listen(0);
  const production = {
    DATA_DIR: dataFolder(),
    SMPP_URL: `smpp://systemId:password@127.0.0.1:${port}?window=100`,
  };
  const service = await startService({ LOG_LEVEL: 'error', ...production });
  for (const guide of inProduction) {
    await t.test(`${guide} leads where it says`, () => followGuide(guide, service.url, production));
  }
});

test('every guide is followed', () => {
  const guides = readdirSync(join(root, 'docs/guide')).filter((name) => name !== 'README.md');
  assert.deepEqual(guides.sort(), [...inSandbox, ...inProduction].sort());
});
