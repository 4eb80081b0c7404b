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

/** Pads each column to its widest cell. */
export function table(head: readonly string[], cells: readonly (readonly string[])[]): string {
  const rows = cells.map(row => row.map(oneLine))
  const width = head.map((title, i) => Math.max(title.length, ...rows.map(row => (row[i] ?? '').length)))
  const line = (cells: readonly string[]) =>
    cells
      .map((cell, i) => cell.padEnd(width[i] ?? 0))
      .join('  ')
      .trimEnd()
  return [paint('bold', line(head)), ...rows.map(line)].join('\n')
}

/** Replaces control characters, so that stored text can't break the table or send escape sequences. */
export const oneLine = (text: string): string => text.replace(/\p{Cc}+/gu, ' ')
