import assert from 'node:assert/strict';
import { test } from 'node:test';
import { covers } from '../../conformance/covers.ts';
import { DEMO_TOKEN, startTestService } from '../../support/service.ts';

test('the MCP server is off by default', covers('mcp.off'), async () => {
  const service = await startTestService();
  for (const method of ['GET', 'POST', 'DELETE']) {
    const response = await fetch(`${service.url}/mcp`, {
      method,
      headers: { authorization: `Bearer ${DEMO_TOKEN}` },
    });
    assert.equal(response.status, 404, method);
  }
});
