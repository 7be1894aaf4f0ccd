import { useEffect, useRef } from 'react';
import { byId, client } from '../../api/client.ts';

/** Milliseconds between two notices that the person is typing; the service keeps each for 15 seconds. */
const SAY_MS = 10_000;

const say = (id: string, body: { writing: boolean; take_over?: boolean }) =>
  client.POST('/v1/conversations/{id}/writing', { ...byId(id), body });

/** Takes a conversation over from a person who is writing a reply. */
export const takeOver = (id: string) => say(id, { writing: true, take_over: true });

/** Tells others that one writes an answer: `typed` with each key, `stop` when one does no more. */
export function useWriting(id: string) {
  const said = useRef(0);
  const writing = {
    typed(text: string) {
      if (text.trim() === '') {
        writing.stop();
        return;
      }
      if (Date.now() - said.current < SAY_MS) return;
      said.current = Date.now();
      // Nothing rests on it: a reply is refused while another person writes.
      say(id, { writing: true }).catch(() => {});
    },
    stop() {
      if (said.current > 0) say(id, { writing: false }).catch(() => {});
      said.current = 0;
    },
    /** Sending a reply ends the typing notice on the service. */
    sent() {
      said.current = 0;
    },
  };
  const latest = useRef(writing);
  latest.current = writing;
  useEffect(() => () => latest.current.stop(), []);
  return writing;
}
