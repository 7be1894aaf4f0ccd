import { longTexts } from './json.ts';
import type { HostileBody } from './requests.ts';

/** A little below what the MCP server reads of a body. */
const BYTES = 250 * 1024;

const calls: Readonly<Record<string, object>> = {
  estimate_sms: { message: 'Hello', phones: ['0501234567'] },
  send_sms: { source: 'Shop', message: 'Hello', phones: ['0501234567'], confirmation: 'a:b:c:d:e:f' },
  send_chat_template: { source: '972550000001', to: '1', template_id: 'x', variables: { 1: 'x' } },
  find_messages: { phone: '0501234567', from: '2026-01-01T00:00:00Z' },
  get_message: { id: '1' },
  find_contact: { phone: '0501234567' },
  list_contact_lists: { search: 'x' },
};

/**
 * Bodies of the MCP server: calls of tools with very long texts, of both forms of the protocol.
 *
 * @param each number of long texts for each text of a call
 */
export function* mcpBodies(each: number): Generator<HostileBody> {
  const headers = { accept: 'application/json, text/event-stream' };
  const meta = {
    'io.modelcontextprotocol/protocolVersion': '2026-07-28',
    'io.modelcontextprotocol/clientInfo': { name: 'x', version: '1' },
    'io.modelcontextprotocol/clientCapabilities': {},
  };
  for (const count of [500, 10_000]) {
    const phones = Array.from({ length: count }, (_, index) => `05${10_000_000 + index}`);
    const params = { name: 'estimate_sms', arguments: { message: 'Hello', phones } };
    yield { body: JSON.stringify({ jsonrpc: '2.0', id: 1, method: 'tools/call', params }), headers };
  }
  for (const [index, [name, args]] of Object.entries(calls).entries()) {
    const message = { jsonrpc: '2.0', id: 1, method: 'tools/call', params: { name, arguments: args } };
    yield { body: JSON.stringify(message), headers };
    for (const body of longTexts(message, BYTES, index, each)) yield { body, headers };
    const modern = { ...message, params: { ...message.params, _meta: meta } };
    const named = {
      ...headers,
      'mcp-protocol-version': '2026-07-28',
      'mcp-method': 'tools/call',
      'mcp-name': name,
    };
    yield { body: JSON.stringify(modern), headers: named };
    for (const body of longTexts(modern, BYTES, index, each)) yield { body, headers: named };
  }
}
