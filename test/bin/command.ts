/** Runs the command line in a separate process and a temporary folder. */
import { type ChildProcess, spawn } from 'node:child_process'
import { once } from 'node:events'
import { chmod, mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import type { ExecutionContext } from 'ava'
import { codeRoot } from '../../kernel/base/package-root.ts'

export const LARDER = fileURLToPath(new URL('bin/larder.js', codeRoot))
/** Allows for a busy machine; below the timeout of AVA. */
const TIMEOUT_MS = 240_000
/** Without the settings of the environment that runs the tests. */
export const CLEAN_ENV = {
  PATH: process.env.PATH ?? '',
  HOME: process.env.HOME ?? '',
  NO_COLOR: '1',
  LOG_LEVEL: 'warn',
}

export type Env = Readonly<Record<string, string>>
export interface ExitResult {
  readonly code: number | null
  readonly out: string
  readonly err: string
}

export async function temporaryFolder(t: Pick<ExecutionContext, 'teardown'>): Promise<string> {
  const path = await mkdtemp(join(tmpdir(), 'larder-bin-'))
  // The server of a root user runs as another user; its data would be in another folder.
  await chmod(path, 0o755)
  t.teardown(() => rm(path, { recursive: true, force: true }))
  return path
}

export interface RunningCommand {
  readonly child: ChildProcess
  readonly out: () => string
  readonly err: () => string
  /** Resolves with the first match in stdout or stderr. Rejects if the process ends before. */
  waitForOutput(pattern: RegExp): Promise<RegExpExecArray>
  ended: Promise<ExitResult>
}

/** The process is killed after `timeoutMs`, and at the end of the test. @param program of another package. */
export function spawnLarder(
  t: Pick<ExecutionContext, 'teardown'>,
  args: readonly string[],
  cwd: string,
  env: Env = {},
  timeoutMs = TIMEOUT_MS,
  program = LARDER,
): RunningCommand {
  const child = spawn(process.execPath, [program, ...args], {
    cwd,
    env: { ...CLEAN_ENV, LARDER_DATA: join(cwd, '.larder'), ...env },
    stdio: ['ignore', 'pipe', 'pipe'],
  })
  const output = { out: '', err: '' }
  child.stdout?.on('data', text => {
    output.out += text
  })
  child.stderr?.on('data', text => {
    output.err += text
  })
  const limit = setTimeout(() => child.kill('SIGKILL'), timeoutMs)
  const ended = once(child, 'close').then(([code]) => {
    clearTimeout(limit)
    return { code: code as number | null, ...output }
  })
  t.teardown(async () => {
    child.kill('SIGKILL')
    await ended
  })
  return {
    child,
    out: () => output.out,
    err: () => output.err,
    ended,
    waitForOutput: pattern => waitForOutput(child, output, pattern, ended),
  }
}

function waitForOutput(
  child: ChildProcess,
  output: { out: string; err: string },
  pattern: RegExp,
  ended: Promise<ExitResult>,
): Promise<RegExpExecArray> {
  return new Promise((resolve, reject) => {
    const check = () => {
      const match = pattern.exec(output.err) ?? pattern.exec(output.out)
      if (match) resolve(match)
    }
    child.stdout?.on('data', check)
    child.stderr?.on('data', check)
    check()
    void ended.then(({ code, out, err }) => reject(new Error(`ended with ${code} before ${pattern}:\n${out}\n${err}`)))
  })
}

export const run = (
  t: Pick<ExecutionContext, 'teardown'>,
  args: readonly string[],
  cwd: string,
  env: Env = {},
): Promise<ExitResult> => spawnLarder(t, args, cwd, env).ended
