/** Time of the commands: a check, and a start until the server is ready, with and without an existing database. */
import { spawn } from 'node:child_process'
import { chmod, mkdtemp, rm } from 'node:fs/promises'
import { createServer } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout as pause } from 'node:timers/promises'
import type { BenchEnvironment, Checkout } from './fixtures.ts'
import { median, type Row, residentMiB } from './measure.ts'

const RUNS = 7
const IDLE_MS = 2000
/** As in `npm start` and the container image. */
const NODE_FLAGS = ['--max-semi-space-size=8']

interface Times {
  readonly check: number[]
  readonly cold: number[]
  readonly warm: number[]
  readonly idleMiB: number[]
}

export async function start({ checkouts }: BenchEnvironment): Promise<Row[]> {
  const bare: number[] = []
  const sides = checkouts.map(checkout => ({
    checkout,
    times: { check: [], cold: [], warm: [], idleMiB: [] } as Times,
  }))
  for (let run = 0; run < RUNS; run++) {
    bare.push(await timed(['-e', 'console.log(1)']))
    for (const { checkout, times } of sides) await measureOnce(checkout, times)
  }
  const row = (what: string, key: keyof Times, unit: string, target: string): Row => {
    const [here, ...others] = sides.map(
      ({ times }) =>
        `${digits(median(times[key]))} ${unit} (${digits(Math.min(...times[key]))} to ${digits(Math.max(...times[key]))})`,
    )
    const against = [`node printing a line ${digits(median(bare))} s`, ...others.map(text => `other checkout ${text}`)]
    return { what: `${what}, all modules`, measured: here ?? '', against: against.join('; '), target }
  }
  return [
    row('`larder recipe check`', 'check', 's', '≤ 0.8 s'),
    row('`larder start` to ready, existing database', 'warm', 's', '≤ 2.0 s'),
    row('`larder start` to ready, no database yet', 'cold', 's', '≤ 5 s'),
    row('memory of `larder start` (web and worker), idle', 'idleMiB', 'MiB', '≤ 140 MiB'),
  ]
}

const digits = (value: number): string => value.toPrecision(3)

async function measureOnce({ root }: Checkout, times: Times): Promise<void> {
  const command = join(root, 'dist/bin/larder.js')
  const recipe = join(root, 'recipes/full.yaml')
  times.check.push(await timed([command, 'recipe', 'check', recipe]))
  const folder = await mkdtemp(join(tmpdir(), 'larder-start-'))
  // Under root, the database runs as another user, which needs access.
  await chmod(folder, 0o755)
  times.cold.push((await startOnce(command, recipe, folder)).seconds)
  const again = await startOnce(command, recipe, folder)
  times.warm.push(again.seconds)
  times.idleMiB.push(again.idleMiB)
  await rm(folder, { recursive: true, force: true })
}

async function startOnce(command: string, recipe: string, folder: string) {
  const port = await freePort()
  const started = performance.now()
  const env = { ...process.env, LARDER_DATA: folder, PORT: String(port), LOG_LEVEL: 'silent' }
  const child = spawn(process.execPath, [...NODE_FLAGS, command, 'start', recipe], {
    cwd: folder,
    env,
    stdio: 'ignore',
  })
  const gone = new Promise(resolve => child.once('exit', resolve))
  try {
    while (!(await isReady(port))) {
      if (child.exitCode !== null) throw new Error(`larder start ended with ${child.exitCode}`)
      await pause(5)
    }
    const seconds = (performance.now() - started) / 1000
    await pause(IDLE_MS)
    return { seconds, idleMiB: await residentMiB(child.pid as number) }
  } finally {
    child.kill('SIGTERM')
    await gone
  }
}

/** False also if the server doesn't listen yet. */
const isReady = (port: number): Promise<boolean> =>
  fetch(`http://127.0.0.1:${port}/v1/health/readiness`).then(
    ({ status }) => status === 200,
    () => false,
  )

/** Seconds until the process exits, which must be with 0. */
async function timed(args: readonly string[]): Promise<number> {
  const started = performance.now()
  const child = spawn(process.execPath, args, { stdio: 'ignore' })
  const ended = await new Promise(resolve => child.once('exit', resolve))
  if (ended !== 0) throw new Error(`node ${args.join(' ')} ended with ${ended}`)
  return (performance.now() - started) / 1000
}

export async function freePort(): Promise<number> {
  const server = createServer()
  await new Promise<void>(resolve => server.listen(0, '127.0.0.1', resolve))
  const { port } = server.address() as { port: number }
  await new Promise(resolve => server.close(resolve))
  return port
}
