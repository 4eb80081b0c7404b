// Builds before `npm start`, with a spinner on a terminal. Prints the output of the build only if it fails.
import { spawn } from 'node:child_process'
import { once } from 'node:events'

const isTerminal = process.stderr.isTTY && !process.env.CI
const build = spawn('npm', ['run', '-s', 'build'], {
  stdio: ['ignore', isTerminal ? 'pipe' : 'inherit', isTerminal ? 'pipe' : 'inherit'],
  shell: process.platform === 'win32',
})
const closed = once(build, 'close')
let output = ''
for (const stream of [build.stdout, build.stderr])
  stream?.on('data', text => {
    output += text
  })
const progress = isTerminal ? await startSpinner() : undefined
const [code] = await closed
if (code === 0) progress?.clear()
else {
  progress?.error('The build failed')
  process.stderr.write(output)
}
process.exitCode = code ?? 1

async function startSpinner() {
  const { spinner } = await import('@clack/prompts')
  const shown = spinner({ output: process.stderr, withGuide: false, indicator: 'timer' })
  shown.start('Building')
  return shown
}
