import assert from 'node:assert/strict';
import { once } from 'node:events';
import { type AddressInfo, createServer } from 'node:net';
import { after, test } from 'node:test';
import { startTestService } from '../support/service.ts';
import { waitFor } from '../support/wait-for.ts';

/** Sockets that listen and keep the process. */
const listening = () =>
  process.getActiveResourcesInfo().filter((kind) => kind === 'TCPServerWrap' || kind === 'UDPWrap').length;

test('a service whose start fails leaves no socket of its sandbox open', async () => {
  const other = createServer().listen(0, '127.0.0.1');
  after(() => other.close());
  await once(other, 'listening');
  const { port } = other.address() as AddressInfo;
  const before = listening();
  await assert.rejects(startTestService({ settings: { METRICS_PORT: String(port) } }), /EADDRINUSE/);
  await waitFor('its sockets are closed', () => listening() <= before);
});
