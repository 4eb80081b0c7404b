/** Child processes, load, statistics and tables. */
import { type ChildProcess, fork } from 'node:child_process'
import { readFile } from 'node:fs/promises'
import autocannon from 'autocannon'

export interface Child<Ready> {
  readonly ready: Ready
  readonly pid: number
  /** Sends a message and returns the next one. One at a time. */
  ask<Answer>(question: string): Promise<Answer>
  stop(): Promise<void>
}

/** Forks a compiled file, relative to this folder, and waits for its first message. */
export async function child<Ready>(
  file: string | URL,
  args: readonly string[],
  env: Readonly<Record<string, string>> = {},
): Promise<Child<Ready>> {
  const started: ChildProcess = fork(new URL(file, import.meta.url), args, { env: { ...process.env, ...env } })
  const ready = await new Promise<Ready>((resolve, reject) => {
    started.once('message', message => resolve(message as Ready))
    started.once('exit', code => reject(new Error(`${file} ended with ${code} before it was ready`)))
  })
  return {
    ready,
    pid: started.pid as number,
    ask<Answer>(question: string) {
      const answer = new Promise<Answer>(resolve => started.once('message', message => resolve(message as Answer)))
      started.send(question)
      return answer
    },
    async stop() {
      if (started.exitCode !== null) return
      const gone = new Promise(resolve => started.once('exit', resolve))
      started.disconnect()
      await gone
    },
  }
}

export interface Target {
  readonly name: string
  /** The process that serves the requests. */
  readonly pid: number
  readonly url: string
  readonly method?: 'GET' | 'POST'
  readonly headers?: Readonly<Record<string, string>>
  readonly body?: string
  /** Makes the body of each request, if they differ. */
  readonly nextBody?: () => string
}
export interface Rate {
  readonly name: string
  /** Responses per second, median of the rounds. */
  readonly median: number
  /** Milliseconds, median of the rounds. */
  readonly p99: number
  /** CPU time of the process per request, without that of PostgreSQL, in milliseconds. */
  readonly cpuMs: number
}

const ROUNDS = Number(process.env.BENCH_ROUNDS) || 5
const SECONDS = Number(process.env.BENCH_SECONDS) || 3
const WARM_SECONDS = 3
const CONNECTIONS = 16

/** Alternates between the targets, so that other load of the machine affects all of them. */
export async function measureInTurns(targets: readonly Target[]): Promise<Rate[]> {
  const seen = targets.map(() => ({ rates: [] as number[], p99: [] as number[], cpuMs: [] as number[] }))
  for (const target of targets) await load(target, WARM_SECONDS)
  for (let round = 0; round < ROUNDS; round++)
    for (const [i, target] of targets.entries()) {
      const { rate, p99, cpuMs } = await load(target, SECONDS)
      seen[i]?.rates.push(rate)
      seen[i]?.p99.push(p99)
      seen[i]?.cpuMs.push(cpuMs)
    }
  return targets.map(({ name }, i) => {
    const { rates = [], p99 = [], cpuMs = [] } = seen[i] ?? {}
    return { name, median: median(rates), p99: median(p99), cpuMs: median(cpuMs) }
  })
}

async function load({ pid, url, method = 'GET', headers = {}, body, nextBody }: Target, duration: number) {
  const before = await cpuSeconds(pid)
  const result = await autocannon({
    url,
    method,
    headers: { ...headers },
    ...(body && { body }),
    ...(nextBody && { requests: [{ setupRequest: request => ({ ...request, body: nextBody() }) }] }),
    duration,
    connections: CONNECTIONS,
  })
  const failed = result.non2xx + result.errors
  if (failed > 0)
    throw new Error(`${method} ${url}: ${failed} responses were not 2xx: ${JSON.stringify(result.statusCodeStats)}`)
  const cpuMs = (((await cpuSeconds(pid)) - before) / result['2xx']) * 1000
  return { rate: result.requests.average, p99: result.latency.p99, cpuMs }
}

/** The unit of `utime` and `stime` in proc_pid_stat(5) is 1/100 s on every Linux that Node supports. */
const TICKS_PER_SECOND = 100
const USER_TIME = 11

/** CPU seconds of all threads of a process, ended ones included. */
export async function cpuSeconds(pid: number): Promise<number> {
  const text = await readFile(`/proc/${pid}/stat`, 'utf8')
  // The name of the program, in parentheses, may contain spaces.
  const fields = text.slice(text.lastIndexOf(')') + 2).split(' ')
  return (Number(fields[USER_TIME]) + Number(fields[USER_TIME + 1])) / TICKS_PER_SECOND
}

/** Resident memory of a process in MiB. */
export async function residentMiB(pid: number): Promise<number> {
  const status = await readFile(`/proc/${pid}/status`, 'utf8')
  return Number(/VmRSS:\s+(\d+) kB/.exec(status)?.[1]) / 1024
}

export const median = (values: readonly number[]): number => percentile(values, 0.5)

export function percentile(values: readonly number[], share: number): number {
  const sorted = [...values].sort((a, b) => a - b)
  return sorted[Math.min(sorted.length - 1, Math.ceil(sorted.length * share) - 1)] ?? Number.NaN
}

const CONCURRENCY = 50
/** Fewer than a server has database connections, so that no request waits too long for one on a busy machine. */
export const WRITE_CONCURRENCY = 8

/** Calls `work` with 0 to `count - 1`. Returns the results in order. */
export async function mapConcurrently<T>(
  count: number,
  work: (index: number) => Promise<T>,
  concurrency = CONCURRENCY,
): Promise<T[]> {
  const results: T[] = []
  let next = 0
  const loop = async () => {
    for (let index = next++; index < count; index = next++) results[index] = await work(index)
  }
  await Promise.all(Array.from({ length: Math.min(concurrency, count) }, loop))
  return results
}

/** Sends JSON and returns JSON. Throws if the status isn't 2xx. */
export async function send<T>(
  method: string,
  url: string,
  body: unknown,
  headers: Readonly<Record<string, string>> = {},
): Promise<T> {
  const response = await fetch(url, {
    method,
    headers: { 'content-type': 'application/json', ...headers },
    ...(body !== undefined && { body: JSON.stringify(body) }),
  })
  const text = await response.text()
  if (!response.ok) throw new Error(`${method} ${url} returned ${response.status}: ${text.slice(0, 500)}`)
  return (text === '' ? undefined : JSON.parse(text)) as T
}

export interface Row {
  readonly what: string
  readonly measured: string
  readonly against: string
  readonly target: string
}

export const perSecond = (value: number): string => `${Math.round(value).toLocaleString('en')}/s`

/** A Markdown table, as in docs/benchmarks.md. */
export function table(rows: readonly Row[]): string {
  const lines = rows.map(({ what, measured, against, target }) => `| ${what} | ${measured} | ${against} | ${target} |`)
  return ['| Measurement | Result | Comparison, same run | Target |', '|---|---|---|---|', ...lines].join('\n')
}
