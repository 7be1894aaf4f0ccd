import assert from 'node:assert/strict';
import { once } from 'node:events';
import { writeFile } from 'node:fs/promises';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { join } from 'node:path';
import { after, test } from 'node:test';
import { systemClock } from '../../../server/kit/clock.ts';
import { createLogger } from '../../../server/kit/observability/log.ts';
import { SandboxSmsc } from '../../../server/sandbox/smsc/smsc.ts';
import { allFinal, assertPaid, mustSend, phones, startNetwork } from '../../faults/support.ts';
import { certificate } from '../../support/certificates.ts';
import { createDatabase } from '../../support/database.ts';
import { freePort, startBalancer } from '../../support/haproxy.ts';
import { databaseUrl, Installation, knownTo, readiness } from '../../support/process.ts';
import { waitFor } from '../../support/wait-for.ts';

/* Readiness by purpose: an outage of a carrier stops the dispatch of messages and does not stop their acceptance. */

const CREDITS = 100_000;

/** Starts a server that HAProxy finds down, and that counts its checks: HAProxy checks all servers equally often. */
async function countChecks(): Promise<{ readonly port: number; readonly count: number }> {
  let count = 0;
  const server = createServer((_request, answer) => {
    count++;
    answer.writeHead(503).end();
  }).listen(0, '127.0.0.1');
  await once(server, 'listening');
  after(() => server.close());
  return {
    port: (server.address() as AddressInfo).port,
    get count() {
      return count;
    },
  };
}

test('two processes behind HAProxy accept messages during an outage of the carrier, and send them when it is over', async () => {
  const { sql, target } = await createDatabase();
  const network = await startNetwork();
  const installation = new Installation({ DATABASE_URL: databaseUrl(target), SMPP_URL: network.url() });
  const ports = [await freePort(), await freePort()];
  const programs = await Promise.all(
    ports.map((port) =>
      installation.start({ args: ['serve'], ready: false, environment: { PORT: String(port) } }),
    ),
  );
  const checks = await countChecks();
  const url = await startBalancer([...ports, checks.port]);
  const account = await installation.account(programs[0]!.url, 'outage', CREDITS);
  await knownTo(programs[1]!.url, account);

  await network.smsc.close();
  await waitFor('the process that holds the connector cannot dispatch', async () => {
    const all = await Promise.all(programs.map((program) => readiness(program.url, 'dispatch')));
    return all.some(({ problems }) => problems.includes('carriers: no connector is up'));
  });
  for (const program of programs)
    assert.deepEqual(await readiness(program.url), { ready: true, problems: [] });
  // HAProxy takes a server out after two failed checks: the sends outlast several of each server.
  const last = checks.count + 5;
  let sent = 0;
  for (; checks.count < last; sent += 10) await mustSend(url, account, phones(sent, 10));
  assert.equal(network.taken.size, 0);

  await network.smsc.listen(network.port);
  await allFinal(sql);
  assert.equal(network.taken.size, sent);
  await assertPaid(sql, account.id, CREDITS, sent);
});

test('a route whose only connector has an expired certificate is not ready, although another route is', async () => {
  const network = await startNetwork();
  const expired = new SandboxSmsc({
    accounts: { carillon: 'carillon' },
    log: createLogger('silent'),
    clock: systemClock,
    tls: certificate('expired'),
  });
  const port = await expired.listen(0);
  after(() => expired.close());
  const installation = new Installation();
  const connector = {
    systemId: 'carillon',
    password: 'carillon',
    host: 'localhost',
    reconnectMinMs: 20,
    reconnectMaxMs: 200,
  };
  const file = join(installation.folder, 'carriers.json');
  const configure = (connectors: string[]) =>
    writeFile(
      file,
      JSON.stringify({
        links: [
          { ...connector, name: 'main', port: network.port },
          { ...connector, name: 'abroad', port, tls: true },
        ],
        routes: [
          { name: 'default', prefixes: [''], links: ['main'] },
          { name: 'abroad', prefixes: ['44'], links: connectors },
        ],
      }),
    );
  await configure(['abroad']);
  const start = () => installation.start({ ready: false, environment: { CARRIERS_FILE: file } });
  const alone = await start();
  await waitFor('the fault is shown', async () => {
    const { ready, problems } = await readiness(alone.url, 'dispatch');
    return !ready && problems.length === 1 && /^carriers: TLS is not accepted \(/.test(problems[0]!);
  });
  assert.deepEqual(await readiness(alone.url), { ready: true, problems: [] });
  await alone.stop();

  await configure(['abroad', 'main']);
  const backedUp = await start();
  await waitFor('the fault is logged', () => backedUp.output().includes('"peer":"abroad"'));
  await waitFor('it is ready', async () => (await readiness(backedUp.url, 'dispatch')).ready);
});
