import assert from 'node:assert/strict';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, test } from 'node:test';
import type { Client } from '@modelcontextprotocol/client';
import { StdioClientTransport } from '@modelcontextprotocol/client/stdio';
import { newClient, type ProtocolVersion, refusedBy, use, versions } from '../api/mcp/support.ts';
import { covers } from '../conformance/covers.ts';
import { environmentOfRun } from '../support/environment.ts';
import { freePort } from '../support/free-port.ts';
import { newPhone } from '../support/phones.ts';
import { programFile } from '../support/program.ts';
import { DEMO_TOKEN, startTestService } from '../support/service.ts';
import { waitFor } from '../support/wait-for.ts';

/* `carillon mcp`, started by the official client as an assistant starts it. */

const { url, ...service } = await startTestService({ settings: { MCP_API: 'on' } });
const home = mkdtempSync(join(tmpdir(), 'carillon-mcp-'));
after(() => rmSync(home, { recursive: true, force: true }));

interface Started {
  readonly client: Client;
  readonly transport: StdioClientTransport;
  /** Lines of the standard error. */
  readonly errors: () => string;
}

/** Starts the command, and the client that uses it. */
function start(settings: Record<string, string>, version?: ProtocolVersion): Started {
  const transport = new StdioClientTransport({
    command: process.execPath,
    args: [programFile, 'mcp'],
    env: { ...(environmentOfRun as Record<string, string>), HOME: home, XDG_CONFIG_HOME: home, ...settings },
    stderr: 'pipe',
  });
  let errors = '';
  transport.stderr!.on('data', (chunk: Buffer) => {
    errors += chunk.toString();
  });
  return { client: newClient(version), transport, errors: () => errors };
}

for (const version of versions) {
  test(`a client of ${version} sends by the command`, covers('mcp.stdio'), async () => {
    const { client, transport, errors } = start(
      { CARILLON_URL: `${url}/`, CARILLON_TOKEN: DEMO_TOKEN },
      version,
    );
    await client.connect(transport);
    assert.equal(client.getNegotiatedProtocolVersion(), version);
    const { tools } = await client.listTools();
    assert.ok(tools.some(({ name }) => name === 'send_sms'));

    const phone = newPhone();
    const sms = { source: 'Shop', message: 'From a shell', phones: [phone] };
    const { confirmation } = await use(client, 'send_sms', sms);
    assert.equal(
      (await refusedBy(client, 'send_sms', { ...sms, confirmation, at: '2030-01-01T00:00:00Z' })).code,
      'confirmation-invalid',
    );
    assert.equal((await use(client, 'send_sms', { ...sms, confirmation })).sent, true);
    await waitFor('the text', async () => (await service.phone(phone)).length === 1);
    await client.close();
    assert.equal(errors(), '');
  });
}

test('a refused token, a service without MCP and one that does not answer are explained', async () => {
  const off = await startTestService();
  const cases: [Record<string, string>, RegExp][] = [
    [{ CARILLON_URL: url, CARILLON_TOKEN: 'no-such-token' }, /token is wrong/],
    [{ CARILLON_URL: off.url, CARILLON_TOKEN: DEMO_TOKEN }, /MCP_API=on/],
    [
      { CARILLON_URL: `http://127.0.0.1:${await freePort()}`, CARILLON_TOKEN: DEMO_TOKEN },
      /cannot be reached/,
    ],
  ];
  for (const [settings, expected] of cases) {
    const { client, transport, errors } = start(settings, '2025-11-25');
    await assert.rejects(client.connect(transport), expected);
    await transport.close();
    await waitFor('the reason', () => expected.test(errors()));
  }
});

test('the command ends with an error if it has no token', async () => {
  const { client, transport, errors } = start({ CARILLON_URL: url }, '2025-11-25');
  await assert.rejects(client.connect(transport));
  await waitFor('the reason', () => errors().includes('no token: set CARILLON_TOKEN'));
});
