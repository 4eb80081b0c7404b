/** Programs of Debian's packages. */
import { type ChildProcess, type SpawnOptions, spawn } from 'node:child_process'
import { once } from 'node:events'

export interface Cleanup {
  teardown(end: () => unknown): void
}

export interface Program {
  readonly child: ChildProcess
  /** Resolves when the program has ended. */
  end(signal?: NodeJS.Signals): Promise<void>
}

const ENVIRONMENT = { PATH: `${process.env.PATH}:/usr/sbin`, LC_ALL: 'C.UTF-8', LANG: 'C.UTF-8' }

export function startProgram(command: string, args: readonly string[], options: SpawnOptions = {}): Program {
  const child = spawn(command, args, { stdio: 'ignore', ...options, env: { ...ENVIRONMENT, ...options.env } })
  return {
    child,
    async end(signal = 'SIGKILL') {
      if (child.exitCode !== null || child.signalCode !== null) return
      const exit = once(child, 'exit')
      child.kill(signal)
      await exit
    },
  }
}

/** True for a 2xx response. */
export const isOk = (url: string): Promise<boolean> =>
  fetch(url).then(
    ({ ok }) => ok,
    () => false,
  )
