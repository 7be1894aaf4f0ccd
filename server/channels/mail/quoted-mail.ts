/** Words with which mail programs begin the mail that is answered, at the beginning of a line without case. */
const copies: readonly string[] = [
  '-----original message',
  '----- original message',
  '---------- forwarded message',
  '-----הודעה מקורית',
  '________________________________',
];
/** Ends of the line before a quote: `On Monday, Dana <dana@…> wrote:`, which may be broken into two. */
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
/** Lines before a quote that may introduce it. */
const MAX_INTRODUCTION = 3;

/**
 * What somebody wrote in an answer: the text before the mail that it quotes. The whole text when nothing else was written, as by
 * those who answer below or between the lines.
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

/** The line at which the quote begins that goes on to the end, with its introduction; -1 for none. */
function beginOfQuote(lines: readonly string[]): number {
  let begin = lines.length;
  for (let at = lines.length - 1; at >= 0; at--) {
    const line = lines[at]!.trim();
    if (line.startsWith('>')) begin = at;
    else if (line !== '') break;
  }
  // Some programs indent what they quote, or do not mark it.
  const introduced = lines.findIndex((line) => introductions.some((words) => line.trimEnd().endsWith(words)));
  if (begin === lines.length) return introduced < 0 ? -1 : beginOfIntroduction(lines, introduced);
  return introduced >= 0 && introduced < begin && begin - introduced <= MAX_INTRODUCTION
    ? beginOfIntroduction(lines, introduced)
    : begin;
}

/** The line where an introduction begins that ends at `end`: it is one paragraph. */
function beginOfIntroduction(lines: readonly string[], end: number): number {
  let begin = end;
  while (begin > 0 && end - begin < MAX_INTRODUCTION - 1 && lines[begin - 1]!.trim() !== '') begin--;
  return begin;
}
