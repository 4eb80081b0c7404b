/** CPU time per request of one web process, and of two that share the same requests. */
import { execFile } from 'node:child_process'
import { readFile } from 'node:fs/promises'
import { setTimeout as pause } from 'node:timers/promises'
import { promisify } from 'node:util'
import { SECOND } from '../../kernel/base/units.ts'
import { runConcurrently } from '../reliability/fixtures.ts'
import { createHttpClient, type HttpClient } from './http-client.ts'
import type { Seat } from './product.ts'

const REQUESTS = 2000
/** Per process and before the first measurement, for the compiler of JavaScript. */
const WARM_UP = 4000
const CONCURRENCY = 8
/** Each measures both cases, so that other work on the machine affects both alike. */
const ROUNDS = 3
/** A process that was stopped handles the messages of the bus and the timers that waited. */
const CATCH_UP_MS = 3 * SECOND
/** One of so many requests writes. */
const WRITE_INTERVAL = 5

export interface CpuPerRequest {
  /** Milliseconds, the medians of the rounds. */
  readonly one: number
  readonly two: number
}

/** @param webs of the same kind, which run. */
export async function measureCpu([first, second]: readonly [Seat, Seat], token: string): Promise<CpuPerRequest> {
  const clients = new Map([first, second].map(seat => [seat, createHttpClient('', seat.url)]))
  const send = async (seats: readonly Seat[], count: number) => {
    await runConcurrently(count, CONCURRENCY, n =>
      request(clients.get(seats[n % seats.length] as Seat) as HttpClient, n, token),
    )
  }
  const measure = async (seats: readonly Seat[]) => {
    const before = await cpuOf(seats)
    await send(seats, REQUESTS)
    return ((await cpuOf(seats)) - before) / REQUESTS
  }
  for (const seat of [first, second]) await send([seat], WARM_UP)
  const [one, two]: [number[], number[]] = [[], []]
  for (let round = 0; round < ROUNDS; round++) {
    // A new process would have to compile again.
    second.current().child.kill('SIGSTOP')
    one.push(await measure([first]))
    second.current().child.kill('SIGCONT')
    await pause(CATCH_UP_MS)
    two.push(await measure([first, second]))
  }
  for (const { close } of clients.values()) close()
  return { one: median(one), two: median(two) }
}

async function request(client: HttpClient, n: number, token: string): Promise<void> {
  const headers = { authorization: `Bearer ${token}`, 'content-type': 'application/json' }
  const { status, text } =
    n % WRITE_INTERVAL === 0
      ? await client.send('POST', '/v1/data/measurements', { headers, body: JSON.stringify({ key: `measured ${n}` }) })
      : await client.send('GET', '/v1/data/books?limit=20&sort=-createdAt', { headers })
  if (status >= 300) throw new Error(`a measured request returned ${status}: ${text}`)
}

/** Milliseconds of CPU time that the processes have used. */
async function cpuOf(seats: readonly Seat[]): Promise<number> {
  const { stdout } = await promisify(execFile)('getconf', ['CLK_TCK'])
  let ticks = 0
  for (const seat of seats) {
    const text = await readFile(`/proc/${seat.current().child.pid}/stat`, 'utf8')
    // After the name of the program, which may have spaces: utime and stime are the 14th and the 15th field of all.
    const fields = text.slice(text.lastIndexOf(')') + 2).split(' ')
    ticks += Number(fields[11]) + Number(fields[12])
  }
  return (ticks * 1000) / Number(stdout)
}

const median = (values: readonly number[]): number => [...values].sort((a, b) => a - b)[values.length >> 1] as number
