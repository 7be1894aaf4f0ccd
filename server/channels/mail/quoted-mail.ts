/** Phrases that introduce a quoted email, at the beginning of a line, compared without case. */
const copies: readonly string[] = [
  '-----original message',
  '----- original message',
  '---------- forwarded message',
  '-----הודעה מקורית',
  '________________________________',
];
/** Ends of the line before a quote: `On Monday, Dana <dana@…> wrote:`, which may be split into two. */
const introductions: readonly string[] = [
  'wrote:',
  'schrieb:',
  'a écrit :',
  'escribió:',
  'כתב:',
  'כתבה:',
  'כתב/ה:',
  'пишет:',
  'написал:',
];
/** Maximum number of lines that introduce a quote. */
const MAX_INTRODUCTION = 3;

/**
 * Returns the sender's own text in a reply: the part before the quoted email. Returns the whole text if that part is
 * empty, as for replies below or between the quoted lines.
 */
export function withoutQuote(text: string): string {
  const lines = text.replaceAll('\r\n', '\n').split('\n');
  const copy = lines.findIndex((line) =>
    copies.some((words) => line.trimStart().toLowerCase().startsWith(words)),
  );
  const quote = beginOfQuote(lines);
  const end = Math.min(...[copy, quote, lines.length].filter((at) => at >= 0));
  const written = lines.slice(0, end).join('\n').trim();
  return written === '' ? text.trim() : written;
}

/**
 * Returns the line at which the last quote begins (one that extends to the end), including its introduction; -1 without
 * one.
 */
function beginOfQuote(lines: readonly string[]): number {
  let begin = lines.length;
  for (let at = lines.length - 1; at >= 0; at--) {
    const line = lines[at]!.trim();
    if (line.startsWith('>')) begin = at;
    else if (line !== '') break;
  }
  // Some programs indent quoted text, or do not mark it.
  const introduced = lines.findIndex((line) => introductions.some((words) => line.trimEnd().endsWith(words)));
  if (begin === lines.length) return introduced < 0 ? -1 : beginOfIntroduction(lines, introduced);
  return introduced >= 0 && introduced < begin && begin - introduced <= MAX_INTRODUCTION
    ? beginOfIntroduction(lines, introduced)
    : begin;
}

/** Returns the line at which the introduction that ends at `end` begins: it is one paragraph. */
function beginOfIntroduction(lines: readonly string[], end: number): number {
  let begin = end;
  while (begin > 0 && end - begin < MAX_INTRODUCTION - 1 && lines[begin - 1]!.trim() !== '') begin--;
  return begin;
}
