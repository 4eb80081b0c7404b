/** Terminal output. Results go to stdout; progress and messages go to stderr, so a pipe receives only results. */
import { styleText } from 'node:util'

/** Honors NO_COLOR and FORCE_COLOR (https://no-color.org). */
export const isColored = (stream: NodeJS.WriteStream): boolean =>
  process.env.FORCE_COLOR ? true : stream.isTTY === true && !process.env.NO_COLOR

type Style = Parameters<typeof styleText>[0]
export const paint = (style: Style, text: string, stream: NodeJS.WriteStream = process.stdout): string =>
  isColored(stream) ? styleText(style, text) : text

export const printResult = (text: string): void => void process.stdout.write(`${text}\n`)
export const printInfo = (text: string): void => void process.stderr.write(`${text}\n`)
/** Puts a message of several lines below the prefix. */
export const printError = (text: string): void =>
  printInfo(`${paint('red', 'larder:', process.stderr)}${text.includes('\n') ? '\n' : ' '}${text}`)

/** Keeps running after the reader of a pipe has exited, as in `larder start | head`. */
export function ignoreEpipe(): void {
  for (const stream of [process.stdout, process.stderr])
    stream.on('error', (error: NodeJS.ErrnoException) => {
      if (error.code !== 'EPIPE') throw error
    })
}

export interface Progress {
  step(text: string): void
  done(text?: string): void
  /** Clears the spinner before an error message. */
  failed(): void
}

/** Shows a spinner on a terminal, and one line per step otherwise. */
export async function showProgress(title: string): Promise<Progress> {
  if (!process.stderr.isTTY || process.env.CI)
    return {
      step: text => printInfo(`${title}: ${text}`),
      done: text => text && printInfo(`${title}: ${text}`),
      failed: () => {},
    }
  const { spinner } = await import('@clack/prompts')
  const shown = spinner({ output: process.stderr, withGuide: false })
  shown.start(title)
  return {
    step: text => shown.message(`${title}: ${text}`),
    done: text => (text ? shown.stop(`${title}: ${text}`) : shown.clear()),
    failed: () => shown.clear(),
  }
}

const GAP = '  '
/** Narrower columns are unreadable, so the table exceeds a very narrow terminal instead. */
const MIN_COLUMN_WIDTH = 12

/**
 * Pads each column to its widest cell. Cells wrap if the table would exceed `maxWidth`, by default the width of the
 * terminal; a pipe gets one line per row.
 */
export function table(
  head: readonly string[],
  cells: readonly (readonly string[])[],
  maxWidth: number = process.stdout.columns ?? Number.POSITIVE_INFINITY,
): string {
  const rows = cells.map(row => row.map(oneLine))
  const natural = head.map((title, i) => Math.max(title.length, ...rows.map(row => (row[i] ?? '').length)))
  const widths = fitWidths(natural, maxWidth - GAP.length * (head.length - 1))
  const lines = (row: readonly string[]): string => {
    const wrapped = row.map((cell, i) => wrap(cell, widths[i] ?? 0))
    const height = Math.max(...wrapped.map(({ length }) => length))
    return Array.from({ length: height }, (_, at) =>
      widths
        .map((width, i) => (wrapped[i]?.[at] ?? '').padEnd(width))
        .join(GAP)
        .trimEnd(),
    ).join('\n')
  }
  return [paint('bold', lines(head)), ...rows.map(lines)].join('\n')
}

/** Shortens the widest columns until all fit. */
function fitWidths(natural: readonly number[], available: number): number[] {
  const widths = [...natural]
  for (let excess = widths.reduce((sum, width) => sum + width, 0) - available; excess > 0; excess--) {
    const widest = widths.indexOf(Math.max(...widths))
    if ((widths[widest] ?? 0) <= MIN_COLUMN_WIDTH) break
    widths[widest] = (widths[widest] ?? 0) - 1
  }
  return widths
}

/** Breaks at spaces, after slashes and dots, or anywhere in a longer word. */
function wrap(text: string, width: number): string[] {
  const lines = ['']
  for (const part of text.match(/[^ /.]*[/.]|[^ /.]+ *| +/g) ?? []) {
    const last = lines.length - 1
    const joined = (lines[last] ?? '') + part
    if (joined.trimEnd().length <= width) lines[last] = joined
    else for (let rest = part; rest.trim() !== ''; rest = rest.slice(width)) lines.push(rest.slice(0, width))
  }
  return lines.map(line => line.trimEnd()).filter((line, at) => at > 0 || line !== '' || lines.length === 1)
}

/** Replaces control characters, so that stored text can't break the table or send escape sequences. */
export const oneLine = (text: string): string => text.replace(/\p{Cc}+/gu, ' ')
