import { chapter, row } from '../row.ts';

/** The MCP server (docs/mcp.md). */
export const mcp = chapter({
  key: 'mcp',
  title: 'Model Context Protocol',
  bothForms: false,
  rows: [
    row('http', 'streamable HTTP with the official client, of two versions of the protocol'),
    row('stdio', '`carillon mcp` with the official client'),
    row('scopes', 'a token has the tools of its scopes only'),
    row('dry-run', 'a send is a dry run first, and happens with its confirmation'),
    row('once', 'a send happens once, however often its confirmation is used'),
    row('changed', 'a confirmation is of the same arguments, account, price and text, for ten minutes'),
    row('origin', 'pages of other origins are refused'),
    row('off', 'it is off by default'),
  ],
});
