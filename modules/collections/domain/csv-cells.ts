/** Cells of CSV files that spreadsheets open. Pure. */

/** Spreadsheets recognize a formula after a tab, a line break or spaces, too. */
const FORMULA = /^\s*[=+\-@|＝＋－＠]|^[\t\r\n]/

/** Text that begins like a formula gets a leading apostrophe. https://owasp.org/www-community/attacks/CSV_Injection */
export function toCell(value: unknown): string {
  if (value === null || value === undefined) return ''
  if (typeof value === 'number' || typeof value === 'boolean') return String(value)
  const isIds = Array.isArray(value) && value.every(each => typeof each === 'string')
  const text = typeof value === 'string' ? value : isIds ? value.join(',') : JSON.stringify(value)
  return FORMULA.test(text) ? `'${text}` : text
}

/** The text of a cell without the apostrophe that `toCell` adds. */
export const fromGuardedCell = (cell: string): string =>
  cell.startsWith("'") && FORMULA.test(cell.slice(1)) ? cell.slice(1) : cell
