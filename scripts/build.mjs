// Builds before `npm start` and tests if sources have changed since the last build, with a spinner on a terminal, which
// shows the output of the build only if it fails.
import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { existsSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { hashOf } from './sources.mjs'

const root = dirname(dirname(fileURLToPath(import.meta.url)))
const stamp = join(root, 'dist/.sources.sha256')
/** All that `npm run build` reads. */
const SOURCES = [
  'bin',
  'kernel',
  'services',
  'testing',
  'modules',
  'test',
  'bench',
  'scripts',
  'themes/default/locales',
  'package.json',
  'package-lock.json',
  'tsconfig.json',
]
const RESULTS = [
  'dist/bin/larder.js',
  'dist/modules/console/public/index.html',
  'dist/modules/console/pure.js',
  'dist/kernel/base/typebox.js',
]

const sources = hashOf(root, SOURCES)
if (!isBuilt()) {
  rmSync(stamp, { force: true })
  await build()
}

/** A result that is newer than the stamp is of a build by hand, perhaps of other sources. */
function isBuilt() {
  if (!existsSync(stamp) || readFileSync(stamp, 'utf8') !== sources) return false
  const { mtimeMs } = statSync(stamp)
  return RESULTS.every(path => existsSync(join(root, path)) && statSync(join(root, path)).mtimeMs <= mtimeMs)
}

async function build() {
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
  if (code === 0) {
    progress?.clear()
    writeFileSync(stamp, sources)
  } else {
    progress?.error('The build failed')
    process.stderr.write(output)
  }
  process.exitCode = code ?? 1
}

async function startSpinner() {
  const { spinner } = await import('@clack/prompts')
  const shown = spinner({ output: process.stderr, withGuide: false, indicator: 'timer' })
  shown.start('Building')
  return shown
}
