/** What a person sees: progress and sentences on stderr, answers on stdout, so that a pipe gets answers alone. */
import { styleText } from 'node:util'

/** NO_COLOR and FORCE_COLOR hold (https://no-color.org). */
export const coloured = (stream: NodeJS.WriteStream): boolean =>
  process.env.FORCE_COLOR ? true : stream.isTTY === true && !process.env.NO_COLOR

type Style = Parameters<typeof styleText>[0]
export const paint = (style: Style, text: string, stream: NodeJS.WriteStream = process.stdout): string =>
  coloured(stream) ? styleText(style, text) : text

export const answer = (text: string): void => void process.stdout.write(`${text}\n`)
export const tell = (text: string): void => void process.stderr.write(`${text}\n`)
/** A sentence on the line of our name; what has several lines begins below it. */
export const complain = (text: string): void =>
  tell(`${paint('red', 'larder:', process.stderr)}${text.includes('\n') ? '\n' : ' '}${text}`)

/** Whoever read us may be gone, as of `larder start | head`: there is nobody to tell then, and no reason to fall over. */
export function outliveReaders(): void {
  for (const stream of [process.stdout, process.stderr])
    stream.on('error', (error: NodeJS.ErrnoException) => {
      if (error.code !== 'EPIPE') throw error
    })
}

export interface Progress {
  /** What happens now. */
  step(text: string): void
  done(text?: string): void
  /** Leaves the screen to the sentence that follows. */
  failed(): void
}

/** A spinner where somebody watches, else a line a step. */
export async function showProgress(title: string): Promise<Progress> {
  if (!process.stderr.isTTY || process.env.CI)
    return {
      step: text => tell(`${title}: ${text}`),
      done: text => text && tell(`${title}: ${text}`),
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

/** Columns as wide as their widest cell. */
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

/** What a stranger wrote cannot break the table, nor steer the terminal. */
export const oneLine = (text: string): string => text.replace(/\p{Cc}+/gu, ' ')
