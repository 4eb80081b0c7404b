import { spawn } from 'node:child_process'
import { once } from 'node:events'

export interface NpmResult {
  readonly code: number | null
  readonly out: string
  readonly err: string
}

/** Runs npm in `folder` until it ends. */
export async function npm(args: readonly string[], folder: string): Promise<NpmResult> {
  // `npm` is a script on Windows, which only a shell can run.
  const child = spawn('npm', args, {
    cwd: folder,
    stdio: ['ignore', 'pipe', 'pipe'],
    shell: process.platform === 'win32',
  })
  const output = { out: '', err: '' }
  child.stdout.on('data', text => {
    output.out += text
  })
  child.stderr.on('data', text => {
    output.err += text
  })
  try {
    const [code] = await once(child, 'close')
    return { code: code as number | null, ...output }
  } catch (error) {
    return { code: null, ...output, err: `${output.err}\n${error instanceof Error ? error.message : String(error)}` }
  }
}

/** The lines of npm's errors without their prefixes, codes, stack traces and paths of logs. */
export function reasonOf(err: string): string {
  const lines = err.split('\n').map(line => line.replace(/^npm (error|ERR!) ?/, '').trim())
  const told = lines.filter(line => line !== '' && !/^(npm warn|code |errno |syscall |at \S|A complete log)/.test(line))
  return told.slice(0, 3).join(' ') || 'it gave no reason'
}
