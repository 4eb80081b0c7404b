/** Time from the command until the server is ready, with and without an existing database. */
import { spawn } from 'node:child_process'
import { chmod, mkdtemp, rm } from 'node:fs/promises'
import { createServer } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { badRecipes } from './bad-recipes.ts'
import { median, type Row, residentMiB } from './measure.ts'

const RUNS = 7
const LARDER = fileURLToPath(new URL('../bin/larder.js', import.meta.url))

/** The root of the repository, two folders above the compiled benchmarks. */
const ROOT = new URL('../../', import.meta.url)
const RECIPES = [
  { path: fileURLToPath(new URL('bench/start.yaml', ROOT)), name: 'identity and comms' },
  { path: fileURLToPath(new URL('recipes/full.yaml', ROOT)), name: 'all modules' },
]
type Recipe = (typeof RECIPES)[number]

export async function start(): Promise<Row[]> {
  const bare = await bareStart()
  const rows: Row[] = []
  for (const recipe of RECIPES) rows.push(await checks(recipe, bare), ...(await starts(recipe, bare)))
  return [...rows, ...(await badRecipes(larder, bare))]
}

async function checks({ path, name }: Recipe, bare: string): Promise<Row> {
  const measured = await larder(['recipe', 'check', path], 0)
  return { what: `\`larder recipe check\`, ${name}`, measured, against: bare, aim: '≤ 0.8 s' }
}

/** Runs the command, which must exit with `code`. Returns its duration. */
async function larder(args: readonly string[], code: number): Promise<string> {
  const times: number[] = []
  for (let run = 0; run < RUNS; run++) times.push(await timed([LARDER, ...args], code))
  return seconds(times)
}

async function starts({ path, name }: Recipe, bare: string): Promise<Row[]> {
  const cold: number[] = []
  const warm: number[] = []
  const idle: number[] = []
  for (let run = 0; run < RUNS; run++) {
    const folder = await mkdtemp(join(tmpdir(), 'larder-start-'))
    // Under root, the database runs as another user, which needs access.
    await chmod(folder, 0o755)
    cold.push((await startOnce(path, folder)).seconds)
    const again = await startOnce(path, folder)
    warm.push(again.seconds)
    idle.push(again.resident)
    await rm(folder, { recursive: true, force: true })
  }
  const what = `\`larder start\` to ready, ${name}`
  return [
    { what: `${what}, existing database`, measured: seconds(warm), against: bare, aim: '≤ 2.0 s' },
    { what: `${what}, no database yet`, measured: seconds(cold), against: bare, aim: '≤ 5 s' },
    {
      what: `memory of \`larder start\` (web and worker), idle, ${name}`,
      measured: `**${median(idle).toFixed(0)} MiB**`,
      against: '–',
      aim: '≤ 130 MiB',
    },
  ]
}

const seconds = (values: readonly number[]): string =>
  `**${median(values).toFixed(2)} s** (${Math.min(...values).toFixed(2)} to ${Math.max(...values).toFixed(2)})`

async function startOnce(recipe: string, folder: string): Promise<{ seconds: number; resident: number }> {
  const port = await freePort()
  const started = performance.now()
  const child = spawn(process.execPath, [LARDER, 'start', recipe], {
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
    // The server does not listen yet.
    return false
  }
}

async function bareStart(): Promise<string> {
  const times: number[] = []
  for (let run = 0; run < RUNS; run++) times.push(await timed(['-e', 'console.log(1)']))
  return `node printing a line: ${median(times).toFixed(2)} s`
}

/** Seconds until the exit with `code`. */
async function timed(args: readonly string[], code = 0): Promise<number> {
  const started = performance.now()
  const child = spawn(process.execPath, args, { stdio: 'ignore' })
  const ended = await new Promise(resolve => child.once('exit', resolve))
  if (ended !== code) throw new Error(`node ${args.join(' ')} ended with ${ended}`)
  return (performance.now() - started) / 1000
}

async function freePort(): Promise<number> {
  const server = createServer()
  await new Promise<void>(resolve => server.listen(0, '127.0.0.1', resolve))
  const { port } = server.address() as { port: number }
  await new Promise(resolve => server.close(resolve))
  return port
}
