// Runs tests of one kind (ava.config.js lists them) on one shared PostgreSQL server:
//   node scripts/test.mjs fast|unit|system|soak|… [name…] [-- arguments for AVA]
// A name selects a file of the kind: `soak abuse` runs dist/test/soak/abuse.test.js. See docs/testing.md.
import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { setPriority } from 'node:os'
import { dirname, join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { KINDS } from '../ava.config.js'
import { startRunServer } from '../dist/services/postgres/testing.js'
import { writeGroups } from './test-groups.mjs'

const root = dirname(dirname(fileURLToPath(import.meta.url)))
const [kind, ...words] = process.argv.slice(2)
const options = words.findIndex(word => word.startsWith('-') || word.includes('/'))
const names = options < 0 ? words : words.slice(0, options)
const files = names.map(name => `dist/test/${kind}/${name}.test.js`)
const forAva = (options < 0 ? [] : words.slice(options)).filter(word => word !== '--')

if (!Object.hasOwn(KINDS, kind)) {
  console.error(`no kind of test: ${kind}; one of ${Object.keys(KINDS).join(', ')}`)
  process.exit(2)
}

/**
 * Almost as low as that of the process that decodes images (10), which would otherwise wait for a core until the other
 * groups have finished. The database keeps the normal priority.
 */
const FAST_PRIORITY = 9

const isGrouped = kind === 'fast' || kind === 'unit'
if (isGrouped) writeGroups(kind)
// Unit tests use no database.
const server = kind === 'unit' ? undefined : await startRunServer()
process.exitCode = await run()
await server?.stop()

/** Returns the exit code. */
async function run() {
  const cli = join(root, 'node_modules/ava/entrypoints/cli.mjs')
  const ava = spawn(process.execPath, [cli, ...files, ...forAva], {
    cwd: root,
    stdio: 'inherit',
    env: { ...process.env, LARDER_TESTS: kind, ...(server && { LARDER_TEST_SERVER: server.url }) },
  })
  if (isGrouped && ava.pid !== undefined) setPriority(ava.pid, FAST_PRIORITY)
  const stop = signal => ava.kill(signal)
  process.on('SIGINT', stop).on('SIGTERM', stop)
  const [code] = await once(ava, 'close')
  process.off('SIGINT', stop).off('SIGTERM', stop)
  return code ?? 1
}
