import assert from 'node:assert/strict';
import { type CallToolResult, Client, StreamableHTTPClientTransport } from '@modelcontextprotocol/client';

/** Versions of the protocol: the first one negotiates a session at the start, the second one is stateless. */
export const versions = ['2025-11-25', '2026-07-28'] as const;
export type ProtocolVersion = (typeof versions)[number];

/** Creates the official client for a version of the protocol. */
export const newClient = (version: ProtocolVersion = '2026-07-28'): Client =>
  new Client(
    { name: 'carillon-test', version: '1' },
    { versionNegotiation: { mode: version === '2025-11-25' ? 'legacy' : { pin: version } } },
  );

/** Connects the official client to a service. */
export async function connectByHttp(
  url: string,
  token: string,
  version?: ProtocolVersion,
  headers: Record<string, string> = {},
): Promise<Client> {
  const client = newClient(version);
  const requestInit = { headers: { authorization: `Bearer ${token}`, ...headers } };
  await client.connect(new StreamableHTTPClientTransport(new URL('/mcp', url), { requestInit }));
  return client;
}

/** Result of a tool as programs read it. */
// biome-ignore lint/suspicious/noExplicitAny: the tests know the fields of each tool.
export type Fields = Record<string, any>;

/** Calls a tool that succeeds. */
export async function use(client: Client, name: string, args: object = {}): Promise<Fields> {
  const result = await call(client, name, args);
  assert.notEqual(result.isError, true, JSON.stringify(result.content));
  const texts = result.content.map((block) => (block.type === 'text' ? block.text : ''));
  assert.deepEqual(JSON.parse(texts.at(-1)!), result.structuredContent);
  return result.structuredContent as Fields;
}

/** Calls a tool that is refused, and returns its error. */
export async function refusedBy(client: Client, name: string, args: object = {}): Promise<Fields> {
  const result = await call(client, name, args);
  assert.equal(result.isError, true, JSON.stringify(result.content));
  return (result.structuredContent as Fields).error as Fields;
}

/** Calls a tool. */
export const call = (client: Client, name: string, args: object = {}): Promise<CallToolResult> =>
  client.callTool({ name, arguments: args as Record<string, unknown> });
