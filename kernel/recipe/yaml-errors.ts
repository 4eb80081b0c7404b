/** Messages for the errors of the YAML parser. */
import type { ErrorCode } from 'yaml'

type Description = readonly [message: string, hint?: string]

const DESCRIPTIONS: Partial<Record<ErrorCode, Description>> = {
  TAB_AS_INDENT: ['The line is indented with a tab', 'Indent with two spaces per level'],
  MULTIPLE_DOCS: [
    'A recipe must be a single YAML document',
    'Remove the --- line, or move the second document to a file and include it',
  ],
  NON_STRING_KEY: ['Keys must be strings', 'Quote the key if it is meant as text'],
  TAG_RESOLVE_FAILED: ['YAML tags (!name) are not supported', 'Remove the tag'],
  BLOCK_AS_IMPLICIT_KEY: ['Unexpected second colon in the line', 'Quote the value after the first colon'],
  MULTILINE_IMPLICIT_KEY: ['Missing colon after the key', 'Write key: value'],
  MISSING_CHAR: ['Unclosed quote or bracket', 'Check for a missing quote, bracket or comma'],
  BAD_DQ_ESCAPE: ['Invalid escape sequence in double quotes', "Use single quotes for a literal backslash: 'a\\b'"],
}

export const describeUnquotedColor = (color: string): [message: string, hint: string] => [
  `${color} is not quoted, so YAML reads it as a comment`,
  `Quote the color: "${color}"`,
]

/** @param line the text of the line with the error. */
export function describeYamlError(
  error: { code: ErrorCode; message: string },
  line: string,
  maxDepth: number,
): [string, string?] {
  if (error.code === 'RESOURCE_EXHAUSTION') return [`Nested deeper than ${maxDepth} levels`]
  // In `{ port: ${PORT} }` the brace of the variable ends the value.
  if (/[[{,:]\s*\$\{/.test(line) && /[[{].*\$\{/.test(line))
    return ['A variable inside { } or [ ] must be quoted', `Write "\${NAME:-default}"`]
  const [message, hint] = DESCRIPTIONS[error.code] ?? [`Invalid YAML: ${error.message.replace(/\.$/, '')}`, undefined]
  return [message, hint]
}
