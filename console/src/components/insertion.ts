import { useRef } from 'react';

/** For a text into which pieces are put where the cursor stands. */
export function useInsertion(text: string, onChange: (text: string) => void) {
  const area = useRef<HTMLTextAreaElement>(null);
  /** `apart`: with blanks between it and what stands beside it. */
  function insert(given: string, apart = false) {
    const input = area.current;
    const [start, end] = input ? [input.selectionStart, input.selectionEnd] : [text.length, text.length];
    const before = apart && /\S$/.test(text.slice(0, start)) ? ' ' : '';
    const after = apart && /^[^\s.,;:!?)]/.test(text.slice(end)) ? ' ' : '';
    const piece = before + given + after;
    onChange(text.slice(0, start) + piece + text.slice(end));
    requestAnimationFrame(() => {
      input?.focus();
      input?.setSelectionRange(start + piece.length, start + piece.length);
    });
  }
  return { area, insert };
}
