/** The results of the section "Routes" in docs/benchmarks.md. */
import { readFile, writeFile } from 'node:fs/promises'
import { packageRoot } from '../../kernel/base/package-root.ts'
import type { RouteResult } from './load.ts'
import { NOTES } from './notes.ts'

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

const INTRODUCTION = `Every endpoint of the full recipe, measured by \`npm run bench -- routes\`: 32 connections, one server process, the load from another process. The ratio is the route's rate divided by that of \`node:http\` and \`pg\` in the same run, which does the work in the last column in one statement, on rows of the same size, without authentication, validation and log. The CPU ratio compares the rates per CPU second of the two servers, which other load of the machine hardly changes. Round trips, statements and rows are those of one request. The last round trips of a write can be the commit and a notification.`

export function report(results: readonly RouteResult[]): string {
  const sorted = [...results].sort((a, b) => a.ratio - b.ratio)
  const lines = sorted.map(({ counts, rate, raw, shape, ratio, cpuRatio }) => {
    const { route, roundTrips, statements, rowsRead, rowsWritten, bytes } = counts
    return `| \`${route.key}\` | **${ratio.toFixed(2)}** | ${cpuRatio.toFixed(2)} | ${round(rate.perSecond)} | ${ms(rate.p50)} | ${ms(rate.p99)} | ${roundTrips} | ${statements} | ${rowsRead} | ${rowsWritten} | ${bytes} | ${SHAPES[shape]}, ${round(raw.perSecond)} |`
  })
  return [
    INTRODUCTION,
    '',
    '| Route | Ratio | CPU ratio | Requests/s | p50 ms | p99 ms | Round trips | Statements | Rows read | Rows written | Bytes | node:http + pg, requests/s |',
    '|---|---|---|---|---|---|---|---|---|---|---|---|',
    ...lines,
    '',
    ...explanations(sorted),
  ].join('\n')
}

const round = (value: number): string => Math.round(value).toLocaleString('en')
const ms = (value: number): string => value.toFixed(value < 10 ? 1 : 0)
const code = (keys: readonly string[]): string => keys.map(key => `\`${key}\``).join(', ')

function explanations(results: readonly RouteResult[]): string[] {
  const low = results.filter(({ ratio }) => ratio < LOW_RATIO).map(({ counts }) => counts)
  const noted = low.map(counts => ({ counts, note: NOTES.find(note => note.matches(counts)) }))
  return [
    `Reasons for ratios below ${LOW_RATIO}:`,
    '',
    ...NOTES.flatMap(note => {
      const explained = noted.filter(each => each.note === note).map(({ counts }) => counts.route.key)
      return explained.length > 0 ? [`- ${note.reason} ${code(explained)}.`] : []
    }),
  ]
}

/** Replaces the results in docs/benchmarks.md, which are its last section. */
export async function writeSection(text: string): Promise<void> {
  const page = await readFile(PAGE, 'utf8')
  const end = page.indexOf(`${RESULTS}\n`)
  if (end < 0) throw new Error(`docs/benchmarks.md has no section "${RESULTS}"`)
  await writeFile(PAGE, `${page.slice(0, end)}${RESULTS}\n\n${text}\n`)
}
