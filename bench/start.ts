/** From the command to the first ready answer: on an existing database, and on none. */
import { spawn } from 'node:child_process'
import { chmod, mkdtemp, rm } from 'node:fs/promises'
import { createServer } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { median, type Row, residentMiB } from './measure.ts'

const RUNS = 5

export async function start(): Promise<Row[]> {
  const cold: number[] = []
  const warm: number[] = []
  const idle: number[] = []
  for (let run = 0; run < RUNS; run++) {
    const folder = await mkdtemp(join(tmpdir(), 'larder-start-'))
    // As root, the database runs as another user, who must be able to enter.
    await chmod(folder, 0o755)
    cold.push((await startOnce(folder)).seconds)
    const again = await startOnce(folder)
    warm.push(again.seconds)
    idle.push(again.resident)
    await rm(folder, { recursive: true, force: true })
  }
  const seconds = (values: readonly number[]) =>
    `**${median(values).toFixed(2)} s** (${Math.min(...values).toFixed(2)} to ${Math.max(...values).toFixed(2)})`
  const bare = await bareStart()
  return [
    {
      what: '`larder start` to ready, existing database',
      measured: seconds(warm),
      against: `node printing a line: ${bare.toFixed(2)} s`,
      aim: '≤ 1.0 s',
    },
    { what: '`larder start` to ready, no database yet', measured: seconds(cold), against: '–', aim: '≤ 5 s' },
    {
      what: 'memory of `larder start` (web and worker), idle',
      measured: `**${median(idle).toFixed(0)} MiB**`,
      against: '–',
      aim: '≤ 120 MiB',
    },
  ]
}

async function startOnce(folder: string): Promise<{ seconds: number; resident: number }> {
  const port = await freePort()
  const larder = fileURLToPath(new URL('../larder/larder.js', import.meta.url))
  const started = performance.now()
  const child = spawn(process.execPath, [larder, 'start'], {
    env: { ...process.env, LARDER_DATA: folder, PORT: String(port), LOG_LEVEL: 'info' },
    stdio: 'ignore',
  })
  const gone = new Promise(resolve => child.once('exit', resolve))
  try {
    while (!(await ready(port))) {
      if (child.exitCode !== null) throw new Error(`larder start ended with ${child.exitCode}`)
      await new Promise(resolve => setTimeout(resolve, 5))
    }
    const seconds = (performance.now() - started) / 1000
    await new Promise(resolve => setTimeout(resolve, 2000))
    return { seconds, resident: await residentMiB(child.pid as number) }
  } finally {
    child.kill('SIGTERM')
    await gone
  }
}

async function ready(port: number): Promise<boolean> {
  try {
    return (await fetch(`http://127.0.0.1:${port}/v1/health/readiness`)).status === 200
  } catch {
    // Nothing listens yet.
    return false
  }
}

async function bareStart(): Promise<number> {
  const times: number[] = []
  for (let run = 0; run < RUNS; run++) {
    const started = performance.now()
    const child = spawn(process.execPath, ['-e', 'console.log(1)'], { stdio: 'ignore' })
    await new Promise(resolve => child.once('exit', resolve))
    times.push((performance.now() - started) / 1000)
  }
  return median(times)
}

async function freePort(): Promise<number> {
  const server = createServer()
  await new Promise<void>(resolve => server.listen(0, '127.0.0.1', resolve))
  const { port } = server.address() as { port: number }
  await new Promise(resolve => server.close(resolve))
  return port
}
