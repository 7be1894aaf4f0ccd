export type Row = readonly string[];

/** Returns a table in Markdown. */
export function markdown(head: Row, rows: readonly Row[]): string {
  const widths = head.map((_, column) => Math.max(3, ...[head, ...rows].map((row) => row[column]!.length)));
  const line = (row: Row) => `| ${row.map((cell, column) => cell.padEnd(widths[column]!)).join(' | ')} |`;
  return [line(head), line(widths.map((width) => '-'.repeat(width))), ...rows.map(line)].join('\n');
}
