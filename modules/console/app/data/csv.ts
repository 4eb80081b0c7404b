/** CSV (RFC 4180). Pure. */

/** Negative amounts aren't formulas. */
const AMOUNT = /^-?\d+(\.\d+)?$/
/** Spreadsheets run cells that start with these characters as formulas. */
const FORMULA = /^'*\s*[=+\-@|\t\r]/

export function toCsv(header: readonly string[], rows: readonly (readonly unknown[])[]): string {
  return [header, ...rows].map(row => row.map(cell).join(',')).join('\r\n')
}

function cell(value: unknown): string {
  if (value === null || value === undefined) return ''
  const text = typeof value === 'object' ? JSON.stringify(value) : String(value)
  const safe = typeof value === 'string' && FORMULA.test(text) && !AMOUNT.test(text) ? `'${text}` : text
  return /[",\r\n]/.test(safe) ? `"${safe.replaceAll('"', '""')}"` : safe
}

export interface CsvPreview {
  readonly header: readonly string[]
  readonly rows: readonly (readonly string[])[]
  /** Whether spreadsheets that separate cells like this write a comma before decimals. */
  readonly decimalComma: boolean
}
/** Rows after the header. */
const PREVIEWED_ROWS = 5
const PREVIEWED_BYTES = 65_536

/** Lines in which the names of the columns are looked for: spreadsheets have titles above them. As in the API. */
const MAX_TITLE_LINES = 5

/**
 * The first rows of a file in UTF-8, or in UTF-16 with a byte order mark.
 * @param isHeader whether cells are names of columns
 */
export async function previewCsv(file: Blob, isHeader: (cells: readonly string[]) => boolean): Promise<CsvPreview> {
  const bytes = new Uint8Array(await file.slice(0, PREVIEWED_BYTES).arrayBuffer())
  const [first, second] = bytes
  const encoding =
    first === 0xff && second === 0xfe ? 'utf-16le' : first === 0xfe && second === 0xff ? 'utf-16be' : 'utf-8'
  const text = new TextDecoder(encoding).decode(bytes)
  const found = parseCsv(text, MAX_TITLE_LINES + PREVIEWED_ROWS).filter(cells => cells.some(cell => cell.trim() !== ''))
  const at = Math.max(0, found.slice(0, MAX_TITLE_LINES).findIndex(isHeader))
  const [header = [], ...rows] = found.slice(at, at + 1 + PREVIEWED_ROWS)
  return { header, rows, decimalComma: separatorOf(text) !== ',' }
}

const SEPARATORS = [',', ';', '\t']

function separatorOf(text: string): string {
  // A title above the names of the columns has none.
  const lines = text.split(/\r?\n/, MAX_TITLE_LINES + 1)
  const line = lines.find(each => SEPARATORS.some(separator => each.includes(separator))) ?? ''
  const countOf = (separator: string) => line.split(separator).length
  return SEPARATORS.reduce((best, each) => (countOf(each) > countOf(best) ? each : best))
}

/** @param max rows, the header included. */
export function parseCsv(text: string, max: number): string[][] {
  const separator = separatorOf(text)
  const rows: string[][] = []
  let row: string[] = []
  let value = ''
  let isQuoted = false
  const endRow = () => {
    rows.push([...row, value])
    row = []
    value = ''
  }
  for (let at = 0; at < text.length && rows.length < max; at++) {
    const character = text.charAt(at)
    if (isQuoted) {
      if (character !== '"') value += character
      else if (text.charAt(at + 1) === '"') value += text.charAt(at++)
      else isQuoted = false
    } else if (character === '"' && value === '') isQuoted = true
    else if (character === separator) {
      row.push(value)
      value = ''
    } else if (character === '\n') endRow()
    else if (character !== '\r') value += character
  }
  if (rows.length < max && (value !== '' || row.length > 0)) endRow()
  return rows
}
