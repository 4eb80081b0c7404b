/** What the YAML parser says, in the words of somebody who writes a recipe. */
import type { ErrorCode } from 'yaml'

type Said = readonly [message: string, hint?: string]

const SENTENCES: Partial<Record<ErrorCode, Said>> = {
  TAB_AS_INDENT: ['a tab indents this line', 'indent with spaces, two a level'],
  MULTIPLE_DOCS: [
    'a second document begins here',
    'a recipe is one document: take the line --- out, or include a second file',
  ],
  NON_STRING_KEY: ['a key is a word, not a list or a map', 'put quotes around it if it is meant as text'],
  TAG_RESOLVE_FAILED: ['a recipe takes no tags (!name)', 'write the value alone'],
  BLOCK_AS_IMPLICIT_KEY: ['there is a second colon in this line', 'put the value after the first colon in quotes'],
  MULTILINE_IMPLICIT_KEY: ['a colon is missing after the key', 'write key: value'],
  MISSING_CHAR: ['something that was opened here is never closed', 'look for a missing quote, bracket or comma'],
  BAD_DQ_ESCAPE: [
    'there is no such escape in double quotes',
    "take single quotes, in which a backslash is a backslash: 'a\\b'",
  ],
}

/** @param line the text of the line in which it stands. */
export function sentence(
  fault: { code: ErrorCode; message: string },
  line: string,
  deepest: number,
): [string, string?] {
  if (fault.code === 'RESOURCE_EXHAUSTION') return [`nested more than ${deepest} deep`]
  // In `{ port: ${PORT} }` the brace of the variable ends the value.
  if (/[[{,:]\s*\$\{/.test(line) && /[[{].*\$\{/.test(line))
    return ['a variable inside { } or [ ] stands in quotes', `write "\${NAME:-default}"`]
  const [message, hint] = SENTENCES[fault.code] ?? [plainly(fault.message), undefined]
  return [message, hint]
}

const plainly = (message: string): string =>
  `this is not YAML: ${message.charAt(0).toLowerCase()}${message.slice(1).replace(/\.$/, '')}`
