/** Texts of statements without the values that some contain. */

/** A statement that is as long says no more. In characters. */
const MAX_LENGTH = 2000

/** From left to right: a comment, a string (with escapes, plain, dollar-quoted), a quoted name, a number. */
const PARTS =
  /--[^\n]*|\/\*[\s\S]*?(?:\*\/|$)|\bE'(?:[^'\\]|\\[\s\S]|'')*(?:'|$)|'(?:[^']|'')*(?:'|$)|\$([A-Za-z_]\w*)?\$[\s\S]*?(?:\$\1\$|$)|"(?:[^"]|"")*"|(?<![\w$.])\d+(?:\.\d+)?(?:e[+-]?\d+)?\b/gi

/** Replaces each value with `?`, and leaves out comments. Parameters, `$1`, stay. */
export const queryText = (text: string): string =>
  text.replace(PARTS, replacement).replace(/\s+/g, ' ').trim().slice(0, MAX_LENGTH)

function replacement(part: string): string {
  if (part.startsWith('--') || part.startsWith('/*')) return ' '
  return part.startsWith('"') ? part : '?'
}

/** `SELECT`, in capitals. */
export const operationOf = (text: string): string => /[a-z]+/i.exec(queryText(text))?.[0].toUpperCase() ?? ''
