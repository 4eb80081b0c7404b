/** The results of the section "Routes" in docs/benchmarks.md. */
import { readFile, writeFile } from 'node:fs/promises'
import { packageRoot } from '../../kernel/base/package-root.ts'
import type { RouteResult } from './load.ts'
import { NOTES, type Noted } from './notes.ts'

const PAGE = new URL('docs/benchmarks.md', packageRoot)
const RESULTS = '### Results of all routes'
/** `NOTES` explain routes below this ratio. */
const LOW_RATIO = 0.5

const SHAPES = {
  fixed: 'fixed response',
  one: 'select one row',
  list: 'select a list',
  insert: 'insert a row',
  update: 'update a row',
  delete: 'delete a row',
} as const

const INTRODUCTION = `Every endpoint of the full recipe, measured by \`npm run bench -- routes\`: 32 connections (4 for uploads and previews, of which the server accepts few at a time), one server process, the load from another process. The ratio is the route's rate divided by that of \`node:http\` and \`pg\` in the same run, which does the work in the last column in one statement, on rows of the same size, without authentication, validation and log. The CPU ratio compares the rates per CPU second of the two servers, which other load of the machine hardly changes. Round trips, statements and rows are those of one request. The last round trips of a write can be the commit and a notification.`

/** A row of the table. */
interface Row extends Noted {
  readonly ratio: number
  readonly line: string
}

const toRow = ({ counts, rate, raw, shape, ratio, cpuRatio }: RouteResult): Row => {
  const { route, roundTrips, statements, rowsRead, rowsWritten, bytes } = counts
  const cells = [
    ...[`\`${route.key}\``, `**${ratio.toFixed(2)}**`, cpuRatio.toFixed(2)],
    ...[round(rate.perSecond), ms(rate.p50), ms(rate.p99), roundTrips, statements, rowsRead, rowsWritten, bytes],
    `${SHAPES[shape]}, ${round(raw.perSecond)}`,
  ]
  return { key: route.key, statements, ratio, line: `| ${cells.join(' | ')} |` }
}

export function report(results: readonly RouteResult[]): string {
  return text(results.map(toRow))
}

function text(rows: readonly Row[]): string {
  const sorted = [...rows].sort((a, b) => a.ratio - b.ratio)
  return [
    INTRODUCTION,
    '',
    '| Route | Ratio | CPU ratio | Requests/s | p50 ms | p99 ms | Round trips | Statements | Rows read | Rows written | Bytes | node:http + pg, requests/s |',
    '|---|---|---|---|---|---|---|---|---|---|---|---|',
    ...sorted.map(({ line }) => line),
    '',
    ...explanations(sorted),
  ].join('\n')
}

const round = (value: number): string => Math.round(value).toLocaleString('en')
const ms = (value: number): string => value.toFixed(value < 10 ? 1 : 0)
const code = (keys: readonly string[]): string => keys.map(key => `\`${key}\``).join(', ')

function explanations(rows: readonly Row[]): string[] {
  const low = rows.filter(({ ratio }) => ratio < LOW_RATIO)
  const noted = low.map(row => ({ key: row.key, note: NOTES.find(note => note.matches(row)) }))
  return [
    `Reasons for ratios below ${LOW_RATIO}:`,
    '',
    ...NOTES.flatMap(note => {
      const explained = noted.filter(each => each.note === note).map(({ key }) => key)
      return explained.length > 0 ? [`- ${note.reason} ${code(explained)}.`] : []
    }),
  ]
}

/** Replaces the rows of the measured routes in docs/benchmarks.md, whose last section they are. */
export async function writeResults(results: readonly RouteResult[], isKnown: (key: string) => boolean): Promise<void> {
  const page = await readFile(PAGE, 'utf8')
  const start = page.indexOf(`${RESULTS}\n`)
  if (start < 0) throw new Error(`docs/benchmarks.md has no section "${RESULTS}"`)
  const rows = new Map(
    page
      .slice(start)
      .split('\n')
      .flatMap(parseRow)
      .map(row => [row.key, row]),
  )
  for (const result of results) rows.set(result.counts.route.key, toRow(result))
  const kept = [...rows.values()].filter(({ key }) => isKnown(key))
  await writeFile(PAGE, `${page.slice(0, start)}${RESULTS}\n\n${text(kept)}\n`)
}

function parseRow(line: string): Row[] {
  const [, key = '', ratio = '', , , , , , statements] = line.split('|').map(cell => cell.trim().replaceAll('`', ''))
  return key.includes(' /')
    ? [{ key, ratio: Number(ratio.replaceAll('*', '')), statements: Number(statements), line }]
    : []
}
