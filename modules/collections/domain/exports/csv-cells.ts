/** Cells of CSV files that spreadsheets open. Pure. */

/** Spreadsheets recognize a formula after a tab, a line break or spaces, too. */
const FORMULA = /^\s*[=+\-@|＝＋－＠]|^[\t\r\n]/
/** A formula, or a text that would be one without its apostrophes: an import must know which apostrophes an export added. */
const isGuarded = (text: string): boolean => FORMULA.test(text.replace(/^'+/, ''))

/** Text that begins like a formula gets a leading apostrophe. https://owasp.org/www-community/attacks/CSV_Injection */
export function toCell(value: unknown): string {
  if (value === null || value === undefined) return ''
  if (typeof value === 'number' || typeof value === 'boolean') return String(value)
  const isIds = Array.isArray(value) && value.every(each => typeof each === 'string')
  const text = typeof value === 'string' ? value : isIds ? value.join(',') : JSON.stringify(value)
  return guarded(text)
}

/** A JSON value as JSON, so that an import returns the same value. */
export const toJsonCell = (value: unknown): string =>
  value === null || value === undefined ? '' : guarded(JSON.stringify(value))

const guarded = (text: string): string => (isGuarded(text) ? `'${text}` : text)

/** The text of a cell without the apostrophe that `toCell` adds. */
export const fromGuardedCell = (cell: string): string =>
  cell.startsWith("'") && isGuarded(cell) ? cell.slice(1) : cell
