/** Formats the problems of a recipe for a terminal. */
import { createRequire } from 'node:module'
import { isAbsolute, relative } from 'node:path'
import { styleText } from 'node:util'
import { createReadBudget, FileReadError, readText } from '../base/index.ts'
import type { Diagnostic } from './diagnostic.ts'
import type { SourceLocation } from './tree.ts'

const require = createRequire(import.meta.url)

const MAX_DIAGNOSTICS = 50
/** Characters. Longer lines are cut around the column. */
const MAX_FRAME_WIDTH = 120
const LINES_ABOVE = 2
const LINES_BELOW = 1

/** Each problem with its code frame and hint, at most 50 of them. */
export function render(problems: readonly Diagnostic[], color: boolean): string {
  const paint = (style: Parameters<typeof styleText>[0], text: string) =>
    color ? styleText(style, text, { validateStream: false }) : text
  const lines = new Map<string, readonly string[]>()
  const linesOf = (file: string) => {
    const known = lines.get(file) ?? readLines(file)
    lines.set(file, known)
    return known
  }
  const shown = problems.slice(0, MAX_DIAGNOSTICS).map(problem => {
    const { file, line, column, message, hint, severity } = problem
    const place = `${shortPath(file)}:${line}:${column}`
    return [
      `${paint('bold', place)}  ${severity === 'error' ? paint('red', sanitize(message)) : paint('yellow', `Warning: ${sanitize(message)}`)}`,
      // Logs keep what a check prints.
      problem.code !== 'literal_secret' && frame(problem, linesOf(file)),
      hint && paint('cyan', `  ${sanitize(hint)}`),
    ]
      .filter(part => part)
      .join('\n')
  })
  const files = new Set(problems.map(({ file }) => file)).size
  const more = problems.length > MAX_DIAGNOSTICS ? [`… and ${problems.length - MAX_DIAGNOSTICS} more`] : []
  return [...shown, ...more, paint('bold', summary(problems, files))].join('\n\n')
}

function summary(problems: readonly Diagnostic[], files: number): string {
  const counts = (['error', 'warning'] as const).flatMap(severity => {
    const count = problems.filter(problem => problem.severity === severity).length
    return count === 0 ? [] : [`${count} ${severity}${count === 1 ? '' : 's'}`]
  })
  return `Found ${counts.join(' and ')}${files === 1 ? '' : ` in ${files} files`}.`
}

/** No lines if the file can't be read: the problem then has no code frame. */
function readLines(file: string): readonly string[] {
  try {
    return readText(file, createReadBudget()).split('\n')
  } catch (error) {
    if (!(error instanceof FileReadError)) throw error
    return []
  }
}

/** Relative if it is inside the working directory. */
export function shortPath(file: string): string {
  const short = relative(process.cwd(), file)
  return short === '' || short.startsWith('..') || isAbsolute(short) ? file : short
}

function frame({ line, column }: SourceLocation, lines: readonly string[]): string {
  if (line > lines.length) return ''
  const start = Math.max(1, line - LINES_ABOVE)
  const from = column > MAX_FRAME_WIDTH - 20 ? column - MAX_FRAME_WIDTH / 2 : 0
  const cut = lines.slice(start - 1, line + LINES_BELOW).map(text => sanitize(text.slice(from, from + MAX_FRAME_WIDTH)))
  const options = { linesAbove: LINES_ABOVE, linesBelow: LINES_BELOW, startLine: start }
  // Loaded with the first problem, because valid recipes don't need it.
  const { codeFrameColumns } = require('@babel/code-frame') as typeof import('@babel/code-frame')
  return codeFrameColumns(cut.join('\n'), { start: { line, column: column - from } }, options)
}

/** Replaces control characters, which could control the terminal or break a frame. */
const sanitize = (text: string): string =>
  text.replace(/[\p{Cc}\u2028\u2029]/gu, found => (found === '\t' ? found : '·'))
