/** Child processes, load and statistics. */
import { type ChildProcess, fork } from 'node:child_process'
import { readFile } from 'node:fs/promises'
import { setFlagsFromString } from 'node:v8'
import { runInNewContext } from 'node:vm'
import autocannon from 'autocannon'

export interface Child<Ready> {
  readonly ready: Ready
  readonly process: ChildProcess
  stop(): Promise<void>
}

/** Forks a compiled file of this folder and waits for its first message. */
export async function child<Ready>(
  file: string,
  args: readonly string[],
  env: Readonly<Record<string, string>> = {},
): Promise<Child<Ready>> {
  const started = fork(new URL(file, import.meta.url), args, { env: { ...process.env, ...env }, silent: false })
  const ready = await new Promise<Ready>((resolve, reject) => {
    started.once('message', message => resolve(message as Ready))
    started.once('exit', code => reject(new Error(`${file} ended with ${code} before it was ready`)))
  })
  return {
    ready,
    process: started,
    async stop() {
      if (started.exitCode !== null) return
      const gone = new Promise(resolve => started.once('exit', resolve))
      started.disconnect()
      await gone
    },
  }
}

/** A full collection of this process, so that none is due during a measurement. */
export function collectGarbage(): void {
  setFlagsFromString('--expose-gc')
  const collect = runInNewContext('gc') as () => void
  collect()
}

export interface Target {
  readonly name: string
  readonly url: string
  readonly method?: 'GET' | 'POST'
  readonly headers?: Readonly<Record<string, string>>
  readonly body?: string
  /** Makes the body of each request, if they differ. */
  readonly nextBody?: () => string
}
export interface Rate {
  readonly name: string
  /** Responses per second of each round. */
  readonly rounds: readonly number[]
  readonly median: number
  readonly p99: number
}

/** Alternates between the targets, so that other load of the machine affects all of them. */
export async function measureInTurns(
  targets: readonly Target[],
  rounds: number,
  seconds: number,
  connections = 32,
): Promise<Rate[]> {
  const seen = targets.map(() => ({ rates: [] as number[], p99: [] as number[] }))
  // Warms up the JIT compiler.
  for (const target of targets) await load(target, 3, connections)
  for (let round = 0; round < rounds; round++)
    for (const [i, target] of targets.entries()) {
      const { rate, p99 } = await load(target, seconds, connections)
      seen[i]?.rates.push(rate)
      seen[i]?.p99.push(p99)
    }
  return targets.map(({ name }, i) => {
    const { rates = [], p99 = [] } = seen[i] ?? {}
    return { name, rounds: rates, median: median(rates), p99: median(p99) }
  })
}

async function load(
  { url, method = 'GET', headers = {}, body, nextBody }: Target,
  duration: number,
  connections: number,
) {
  const result = await autocannon({
    url,
    method,
    headers: { ...headers },
    ...(body && { body }),
    ...(nextBody && { requests: [{ setupRequest: request => ({ ...request, body: nextBody() }) }] }),
    duration,
    connections,
  })
  const failed = result.non2xx + result.errors
  if (failed > 0)
    throw new Error(`${method} ${url}: ${failed} responses were not 2xx: ${JSON.stringify(result.statusCodeStats)}`)
  return { rate: result.requests.average, p99: result.latency.p99 }
}

export function median(values: readonly number[]): number {
  const sorted = [...values].sort((a, b) => a - b)
  return sorted[Math.floor(sorted.length / 2)] ?? Number.NaN
}

export function percentile(values: readonly number[], share: number): number {
  const sorted = [...values].sort((a, b) => a - b)
  return sorted[Math.min(sorted.length - 1, Math.ceil(sorted.length * share) - 1)] ?? Number.NaN
}

/** Resident memory of a process in MiB. */
export async function residentMiB(pid: number): Promise<number> {
  const status = await readFile(`/proc/${pid}/status`, 'utf8')
  return Number(/VmRSS:\s+(\d+) kB/.exec(status)?.[1]) / 1024
}

export interface Row {
  readonly what: string
  readonly measured: string
  readonly against: string
  readonly aim: string
}

/** A Markdown table, as in docs/benchmarks.md. */
export function table(rows: readonly Row[]): string {
  const lines = rows.map(({ what, measured, against, aim }) => `| ${what} | ${measured} | ${against} | ${aim} |`)
  return ['| Measurement | Result | Comparison, same run | Target |', '|---|---|---|---|', ...lines].join('\n')
}
