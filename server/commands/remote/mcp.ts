import {
  isInitializeRequest,
  isJSONRPCRequest,
  isJSONRPCResultResponse,
  type JSONRPCMessage,
  SdkHttpError,
  StreamableHTTPClientTransport,
} from '@modelcontextprotocol/client';
import { StdioServerTransport } from '@modelcontextprotocol/server/stdio';
import { addressAndToken, type RemoteOptions } from './connection.ts';

/** Code of JSON-RPC 2.0 for errors of the server that it leaves to it. */
const SERVER_ERROR = -32_000;

/**
 * `mcp`: passes messages of the Model Context Protocol between the standard input and output, and `/mcp` of a service. Nothing
 * else may be written to the standard output. Ends with the input.
 */
export async function mcp(options: RemoteOptions): Promise<void> {
  const { url, token } = addressAndToken(options);
  const http = new StreamableHTTPClientTransport(new URL('mcp', url.endsWith('/') ? url : `${url}/`), {
    requestInit: { headers: { authorization: `Bearer ${token}` } },
  });
  const stdio = new StdioServerTransport();
  const ended = Promise.withResolvers<void>();
  const answer = (message: JSONRPCMessage) =>
    void stdio.send(message).catch((error: Error) => console.error(`answer not written: ${error.message}`));
  /** Id of the request whose answer has the version of the protocol, which later requests name. */
  let handshake: string | number | undefined;
  http.onmessage = (message) => {
    if (isJSONRPCResultResponse(message) && message.id === handshake) {
      http.setProtocolVersion(String(message.result.protocolVersion));
    }
    answer(message);
  };
  stdio.onmessage = (message) => {
    if (isJSONRPCRequest(message) && isInitializeRequest(message)) handshake = message.id;
    http.send(message).catch((error: unknown) => {
      const problem = problemOf(error);
      console.error(problem);
      if (isJSONRPCRequest(message)) {
        answer({ jsonrpc: '2.0', id: message.id, error: { code: SERVER_ERROR, message: problem } });
      }
    });
  };
  stdio.onclose = () => ended.resolve();
  await http.start();
  await stdio.start();
  await ended.promise;
  await http.close();
}

/** Returns the refusal of the service, or the reason why it did not answer. */
function problemOf(error: unknown): string {
  if (error instanceof SdkHttpError) {
    if (error.status === 404) return 'the service has no /mcp: set MCP_API=on there';
    const refusal = refusalOf(String(error.data.text));
    return refusal ?? `the service answered with status ${error.status}`;
  }
  const { message, cause } = error as Error;
  return `the service cannot be reached: ${cause instanceof Error ? cause.message : message}`;
}

/** Returns the message of a refusal in the form of JSON-RPC; undefined for another body, as of a proxy. */
function refusalOf(body: string): string | undefined {
  try {
    const { error } = JSON.parse(body) as { readonly error?: { readonly message?: string } };
    return error?.message;
  } catch {
    return undefined;
  }
}
