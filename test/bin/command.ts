/** Runs the command line as a process of its own, in a folder of its own. */
import { type ChildProcess, spawn } from 'node:child_process'
import { once } from 'node:events'
import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import type { ExecutionContext } from 'ava'
import { codeRoot } from '../../kernel/base/package-root.ts'

const LARDER = fileURLToPath(new URL('bin/larder.js', codeRoot))
const PATIENCE_MS = 60_000
/** A build under test must not see the settings of whoever runs it. */
const CLEAN = { PATH: process.env.PATH ?? '', HOME: process.env.HOME ?? '', NO_COLOR: '1', LOG_LEVEL: 'warn' }

export type Env = Readonly<Record<string, string>>
export interface Ended {
  readonly code: number | null
  readonly out: string
  readonly err: string
}

export async function folder(t: Pick<ExecutionContext, 'teardown'>): Promise<string> {
  const path = await mkdtemp(join(tmpdir(), 'larder-bin-'))
  t.teardown(() => rm(path, { recursive: true, force: true }))
  return path
}

export interface Running {
  readonly child: ChildProcess
  readonly out: () => string
  readonly err: () => string
  /** Resolves with the first match on either stream; rejects when the process ends before. */
  saying(what: RegExp): Promise<RegExpExecArray>
  ended: Promise<Ended>
}

/** Killed when it has run for so many milliseconds, whatever the test waits for. */
export function begin(
  t: Pick<ExecutionContext, 'teardown'>,
  args: readonly string[],
  cwd: string,
  env: Env = {},
  patience = PATIENCE_MS,
): Running {
  const child = spawn(process.execPath, [LARDER, ...args], {
    cwd,
    env: { ...CLEAN, LARDER_DATA: join(cwd, '.larder'), ...env },
    stdio: ['ignore', 'pipe', 'pipe'],
  })
  const said = { out: '', err: '' }
  child.stdout?.on('data', text => {
    said.out += text
  })
  child.stderr?.on('data', text => {
    said.err += text
  })
  const limit = setTimeout(() => child.kill('SIGKILL'), patience)
  const ended = once(child, 'close').then(([code]) => {
    clearTimeout(limit)
    return { code: code as number | null, ...said }
  })
  t.teardown(async () => {
    child.kill('SIGKILL')
    await ended
  })
  return {
    child,
    out: () => said.out,
    err: () => said.err,
    ended,
    saying: what => hear(child, said, what, ended),
  }
}

function hear(
  child: ChildProcess,
  said: { out: string; err: string },
  what: RegExp,
  ended: Promise<Ended>,
): Promise<RegExpExecArray> {
  return new Promise((resolve, reject) => {
    const look = () => {
      const found = what.exec(said.err) ?? what.exec(said.out)
      if (found) resolve(found)
    }
    child.stdout?.on('data', look)
    child.stderr?.on('data', look)
    look()
    void ended.then(({ code, out, err }) => reject(new Error(`ended with ${code} before ${what}:\n${out}\n${err}`)))
  })
}

export const run = (t: ExecutionContext, args: readonly string[], cwd: string, env: Env = {}): Promise<Ended> =>
  begin(t, args, cwd, env).ended
