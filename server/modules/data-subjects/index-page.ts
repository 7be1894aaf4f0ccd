import { escapeHtml } from '../../kit/text/html.ts';
import { type Kind, kindsOfData } from '../personal-data/kinds.ts';
import { type DataSubject, identifiersOf } from '../personal-data/subject.ts';

interface PageInput {
  readonly subject: DataSubject;
  /** Milliseconds since the epoch. */
  readonly now: number;
  readonly kinds: readonly {
    readonly kind: Kind;
    readonly count: number;
    /** The first rows. */
    readonly rows: readonly Readonly<Record<string, unknown>>[];
    /** Names of files without their ending. */
    readonly files: readonly string[];
  }[];
}

/** The page that people open first: what there is, by kind, in both languages. */
export function indexPage({ subject, now, kinds }: PageInput): string {
  const sections = kinds.map(({ kind, count, rows, files }) => {
    const { en, he } = kindsOfData[kind];
    const links = files.flatMap((name) => [`${name}.csv`, `${name}.json`]);
    return `<section>
<h2>${en} <span lang="he" dir="rtl">· ${he}</span> (${count})</h2>
<p>${links.map((link) => `<a href="${escapeHtml(link)}">${escapeHtml(link)}</a>`).join(' · ')}</p>
${table(rows)}
${rows.length < count ? '<p>…</p>' : ''}
</section>`;
  });
  const whose = identifiersOf(subject).map((one) => `<bdi>${escapeHtml(one)}</bdi>`);
  return `<!doctype html>
<html lang="en">
<meta charset="utf-8">
<meta name="viewport" content="width=device-width">
<title>Personal data · מידע אישי</title>
<style>
body { font: 15px/1.5 system-ui, sans-serif; margin: 2rem auto; padding: 0 1rem; max-width: 72rem; color: #1f2933; }
h2 { font-size: 1.1rem; margin-top: 2rem; }
.scroll { overflow-x: auto; }
table { border-collapse: collapse; font-size: 13px; }
td, th { border: 1px solid #cbd2d9; padding: .25rem .5rem; text-align: start; vertical-align: top; max-width: 28rem; overflow-wrap: anywhere; }
th { background: #f5f7fa; }
</style>
<h1>Personal data <span lang="he" dir="rtl">· מידע אישי</span></h1>
<p>${whose.join(', ')}</p>
<p>${new Date(now).toISOString()}</p>
<p>Everything that is stored about these numbers and addresses. Each kind is also there as CSV and JSON; files are in <a href="files/">files/</a>.</p>
<p lang="he" dir="rtl">כל המידע השמור על המספרים והכתובות האלה. כל סוג נמצא גם כקובץ CSV ו־JSON; קבצים נמצאים בתיקייה files.</p>
${sections.join('\n')}
</html>
`;
}

function table(rows: readonly Readonly<Record<string, unknown>>[]): string {
  const columns = [...new Set(rows.flatMap((row) => Object.keys(row)))];
  const cell = (value: unknown): string => {
    if (value === null || value === undefined) return '';
    return escapeHtml(typeof value === 'object' ? JSON.stringify(value) : String(value));
  };
  const head = columns.map((column) => `<th>${escapeHtml(column)}</th>`).join('');
  const body = rows.map(
    (row) => `<tr>${columns.map((column) => `<td dir="auto">${cell(row[column])}</td>`).join('')}</tr>`,
  );
  return `<div class="scroll"><table><thead><tr>${head}</tr></thead><tbody>${body.join('\n')}</tbody></table></div>`;
}
