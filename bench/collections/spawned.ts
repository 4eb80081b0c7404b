/** Products that run as programs of their own. */
import { spawn } from 'node:child_process'
import { once } from 'node:events'

const READY_TIMEOUT_MS = 120_000
const RETRY_MS = 250
/** Characters of output that an error shows. */
const OUTPUT_LENGTH = 2000

export interface Program {
  readonly command: string
  readonly args: readonly string[]
  readonly cwd: string
  readonly env: Readonly<Record<string, string>>
}
export interface SpawnedProgram {
  readonly pid: number
  stop(): Promise<void>
}

/** Waits until `url` responds. Throws with the output if the program ends before. */
export async function startProgram(program: Program, url: string): Promise<SpawnedProgram> {
  const { child, output, ended } = run(program)
  let failed: Error | undefined
  void ended.then(code => {
    failed = new Error(`${program.args.join(' ')} ended with ${code}: ${output()}`)
  })
  const deadline = Date.now() + READY_TIMEOUT_MS
  while (!(await responds(url))) {
    if (!failed && Date.now() > deadline) {
      child.kill('SIGKILL')
      failed = new Error(`${url} did not respond: ${output()}`)
    }
    if (failed) throw failed
    await new Promise(resolve => setTimeout(resolve, RETRY_MS))
  }
  return {
    pid: child.pid as number,
    async stop() {
      child.kill('SIGTERM')
      const timer = setTimeout(() => child.kill('SIGKILL'), 5000)
      await ended
      clearTimeout(timer)
    },
  }
}

/** Runs a program to its end. Throws with its output if it fails. */
export async function runProgram(program: Program): Promise<void> {
  const { output, ended } = run(program)
  const code = await ended
  if (code !== 0) throw new Error(`${program.args.join(' ')} ended with ${code}: ${output()}`)
}

function run({ command, args, cwd, env }: Program) {
  const child = spawn(command, args, {
    cwd,
    env: { PATH: process.env.PATH ?? '', ...env },
    stdio: ['ignore', 'pipe', 'pipe'],
  })
  let text = ''
  for (const stream of [child.stdout, child.stderr])
    stream.on('data', chunk => {
      text = (text + chunk).slice(-OUTPUT_LENGTH)
    })
  // Forked sides end with this process; a program doesn't.
  const kill = () => child.kill('SIGKILL')
  process.once('exit', kill)
  child.once('close', () => process.off('exit', kill))
  const ended = once(child, 'close').then(([code]) => code as number | null)
  return { child, output: () => text, ended }
}

const responds = (url: string): Promise<boolean> =>
  fetch(url).then(
    response => response.status < 500,
    () => false,
  )

/** `DB_HOST` and so on, for programs that take no URL. */
export function databaseSettings(url: string): Record<'host' | 'port' | 'user' | 'password' | 'database', string> {
  const { hostname, port, username, password, pathname } = new URL(url)
  return { host: hostname, port, user: username, password: decodeURIComponent(password), database: pathname.slice(1) }
}
