import { useRef } from 'react';

/** Inserts pieces of text at the cursor of a text area. */
export function useInsertion(text: string, onChange: (text: string) => void) {
  const area = useRef<HTMLTextAreaElement>(null);
  /** `apart` separates the inserted text from its neighbours with blanks; `take` gets the text in place of `onChange`. */
  function insert(given: string, apart = false, take = onChange) {
    const input = area.current;
    const [start, end] = input ? [input.selectionStart, input.selectionEnd] : [text.length, text.length];
    const before = apart && /\S$/.test(text.slice(0, start)) ? ' ' : '';
    const after = apart && /^[^\s.,;:!?)]/.test(text.slice(end)) ? ' ' : '';
    const piece = before + given + after;
    take(text.slice(0, start) + piece + text.slice(end));
    requestAnimationFrame(() => {
      input?.focus();
      input?.setSelectionRange(start + piece.length, start + piece.length);
    });
  }
  return { area, insert };
}
