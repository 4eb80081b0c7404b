/** CSV (RFC 4180). Pure. */

/** Spreadsheets run cells that start with these characters as formulas. */
const FORMULA = /^'*\s*[=+\-@|\t\r]/

export function toCsv(header: readonly string[], rows: readonly (readonly unknown[])[]): string {
  return [header, ...rows].map(row => row.map(cell).join(',')).join('\r\n')
}

function cell(value: unknown): string {
  if (value === null || value === undefined) return ''
  const text = typeof value === 'object' ? JSON.stringify(value) : String(value)
  const safe = typeof value === 'string' && FORMULA.test(text) ? `'${text}` : text
  return /[",\r\n]/.test(safe) ? `"${safe.replaceAll('"', '""')}"` : safe
}
