// Runs test suites (`ava.<suite>.config.js`) on one shared PostgreSQL server:
//   node scripts/test.mjs fast | processes browsers | soak [name…] [-- arguments for AVA]
// A name that is no suite selects a file of the suites: `soak abuse` runs dist/test/soak/abuse.test.js.
// The remaining suites run after a failure. See docs/testing.md.
import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { existsSync } from 'node:fs'
import { setPriority } from 'node:os'
import { dirname, join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { startRunServer } from '../dist/services/postgres/testing.js'
import { writeGroups } from './test-groups.mjs'

const root = dirname(dirname(fileURLToPath(import.meta.url)))
const words = process.argv.slice(2)
const options = words.findIndex(word => word.startsWith('-') || word.includes('/'))
const named = options < 0 ? words : words.slice(0, options)
const isSuite = word => existsSync(join(root, `ava.${word}.config.js`))
const suites = named.filter(isSuite)
const files = named
  .filter(word => !isSuite(word))
  .flatMap(name => suites.map(suite => `dist/test/${suite}/${name}.test.js`))
const forAva = (options < 0 ? [] : words.slice(options)).filter(word => word !== '--')

if (suites.length === 0) {
  console.error(`no test suite among: ${words.join(' ')}`)
  process.exit(2)
}

/**
 * Almost as low as that of costly work (10), which the product runs in processes with a low priority: those would wait for
 * a core until the other groups have finished. The database keeps the normal priority.
 */
const FAST_PRIORITY = 9

writeGroups()
const server = await startRunServer()
let stopping = false
for (const suite of suites) {
  if (stopping) break
  const code = await run(suite)
  if (code !== 0) process.exitCode = code
}
await server.stop()

/** Returns the exit code. */
async function run(suite) {
  const cli = join(root, 'node_modules/ava/entrypoints/cli.mjs')
  const ava = spawn(process.execPath, [cli, '--config', `ava.${suite}.config.js`, ...files, ...forAva], {
    cwd: root,
    stdio: 'inherit',
    env: { ...process.env, LARDER_TEST_SERVER: server.url },
  })
  if (suite === 'fast' && ava.pid !== undefined) setPriority(ava.pid, FAST_PRIORITY)
  const stop = signal => {
    stopping = true
    ava.kill(signal)
  }
  process.on('SIGINT', stop).on('SIGTERM', stop)
  const [code] = await once(ava, 'close')
  process.off('SIGINT', stop).off('SIGTERM', stop)
  return code ?? 1
}
