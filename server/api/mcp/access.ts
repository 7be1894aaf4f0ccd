import { type AccessTable, open, programs, sendsNothing } from '../access/rules.ts';

/** Answers 405: the service keeps no sessions, and no streams that clients open. */
const wrongMethod = open('nothing');

/**
 * The MCP server. A message names a tool, and the tool calls routes under /v1 with the token of the caller. The rules of these routes
 * decide, and they take the send keys. Each of the scopes has a tool.
 */
export const mcpAccess: AccessTable = {
  'POST /mcp': { ...sendsNothing(programs('send', 'read', 'contacts', 'billing')), subscribers: false },
  'GET /mcp': wrongMethod,
  'DELETE /mcp': wrongMethod,
};
