/** An event of a stream (HTML Living Standard, section 9.2). */
export interface ServerSentEvent {
  readonly id: string;
  readonly event: string;
  readonly data: string;
}

/**
 * Yields the events of a `text/event-stream` body.
 *
 * @param heard called for everything that arrives, including comments
 */
export async function* serverSentEvents(
  body: ReadableStream<Uint8Array<ArrayBuffer>>,
  heard: () => void,
): AsyncGenerator<ServerSentEvent, void, undefined> {
  const reader = body.pipeThrough(new TextDecoderStream()).getReader();
  let rest = '';
  let fields = { id: '', event: 'message', data: [] as string[] };
  try {
    for (;;) {
      const { done, value } = await reader.read();
      if (done) return;
      heard();
      const lines = (rest + value).split('\n');
      rest = lines.pop()!;
      for (const whole of lines) {
        const line = whole.endsWith('\r') ? whole.slice(0, -1) : whole;
        if (line === '') {
          const { id, event, data } = fields;
          if (id !== '' || data.length > 0) yield { id, event, data: data.join('\n') };
          fields = { id: '', event: 'message', data: [] };
          continue;
        }
        const colon = line.indexOf(':');
        const name = colon === -1 ? line : line.slice(0, colon);
        const text = colon === -1 ? '' : line.slice(colon + 1).replace(/^ /, '');
        if (name === 'id') fields.id = text;
        else if (name === 'event') fields.event = text;
        else if (name === 'data') fields.data.push(text);
      }
    }
  } finally {
    reader.cancel().catch(() => {});
  }
}
