// Writes dist/test-groups: each file runs many test files in one AVA process. A group imports a copy of each test file,
// `forms.grouped.js` of `forms.test.js`, that imports its own `test` in place of AVA's, which supports one file per
// process. Module hooks could replace the import too, but take a tenth of the CPU time of a group. See docs/testing.md.
import { existsSync, mkdirSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { dirname, join, sep } from 'node:path'
import { fileURLToPath } from 'node:url'
import { KINDS } from '../ava.config.js'

const root = dirname(dirname(fileURLToPath(import.meta.url)))
const tests = join(root, 'dist', 'test')
const groups = join(root, 'dist', 'test-groups')

/**
 * Folders that share a group, because each process takes 4 s of CPU time to import the kernel, to start it once and to
 * load its worker threads. Other modules and folders have a group each. The first entry that fits decides. The groups
 * take about the same time, because all run at once.
 */
const SHARED = {
  // These tests mostly wait: with those of the other services they would take as long as the whole run.
  queues: ['services/jobs', 'services/outbox', 'modules/automations'],
  data: ['modules/billing', 'modules/collections', 'modules/content', 'modules/media'],
  recipes: ['recipes', 'reliability', 'upgrade'],
  requests: [
    'modules/comms',
    'modules/console',
    'modules/features',
    'modules/forms',
    'modules/platform',
    'modules/sessions',
    'modules/webhooks',
  ],
  kernel: ['architecture', 'bin', 'client', 'kernel', 'services', 'testing', 'modules/messaging', 'modules/streams'],
}

/** How many kernels the files of a group may start. Lower a number when files begin to share; none may grow. */
const MAX_KERNELS = { data: 95, identity: 75, kernel: 71, queues: 37, recipes: 57, requests: 94 }

/** Processes of `npm run test:unit`. */
const UNIT_GROUPS = 2

/** @param kind `fast` for all files, `unit` for those that start no kernel and no database. */
export function writeGroups(kind) {
  rmSync(groups, { recursive: true, force: true })
  mkdirSync(groups, { recursive: true })
  const files = testFiles()
  for (const [name, members] of kind === 'unit' ? dealt(files.filter(isUnit)) : grouped(files)) {
    for (const file of members) writeCopy(file)
    const list = JSON.stringify(members, null, 2)
    writeFileSync(
      join(groups, `${name}.test.js`),
      `import { runGroup } from '../test/groups/group.js'\n\nawait runGroup(${list}, ${MAX_KERNELS[name] ?? 0})\n`,
    )
  }
}

/** Alternating, because neighbors take about the same time. */
const dealt = files =>
  Array.from({ length: UNIT_GROUPS }, (_, group) => [
    `unit-${group + 1}`,
    files.filter((_, at) => at % UNIT_GROUPS === group),
  ])

/** What starts kernels and databases. */
const STARTERS = ['testing/index.js', 'services/postgres/testing.js', 'kernel/runtime/kernel.js'].map(path =>
  join(root, 'dist', path),
)

/** Whether neither the file nor the fixtures that it imports start a kernel or a database. */
function isUnit(file) {
  const seen = new Set()
  const waiting = [join(tests, file)]
  for (let path = waiting.pop(); path !== undefined; path = waiting.pop()) {
    if (seen.has(path)) continue
    seen.add(path)
    if (STARTERS.includes(path)) return false
    if (path.startsWith(tests) && existsSync(path)) waiting.push(...importsOf(path))
  }
  return true
}

const importsOf = path =>
  [...readFileSync(path, 'utf8').matchAll(/(?:from |import\()['"](\.[^'"]+)['"]/g)].map(([, name]) =>
    join(dirname(path), name),
  )

/** Beside the test file, for its relative imports and its `import.meta.url`. */
function writeCopy(file) {
  const text = readFileSync(join(tests, file), 'utf8')
  const collector = `${'../'.repeat(file.split('/').length - 1)}groups/ava.js?file=${encodeURIComponent(file)}`
  const copy = text.replace(/ from ['"]ava['"]/, ` from '${collector}'`)
  if (copy === text) throw new Error(`${file} does not import ava`)
  writeFileSync(join(tests, file.replace(/\.test\.js$/, '.grouped.js')), copy)
}

/** Paths below dist/test, with slashes. */
function testFiles() {
  return readdirSync(tests, { recursive: true, encoding: 'utf8' })
    .map(path => path.split(sep).join('/'))
    .filter(path => path.endsWith('.test.js') && !isOtherKind(path))
    .sort()
}

/** A kind has a folder of test files with its name. */
function isOtherKind(path) {
  return path.endsWith('.system.test.js') || Object.hasOwn(KINDS, path.split('/')[0])
}

function grouped(files) {
  const named = {}
  for (const file of files) {
    const name = groupOf(file)
    named[name] ??= []
    named[name].push(file)
  }
  return Object.entries(named)
}

/** `requests` of modules/forms/routes/forms.test.js, `queues` of services/jobs/jobs.test.js. */
function groupOf(file) {
  const [top, sub] = file.split('/')
  const shared = Object.entries(SHARED).find(
    ([, folders]) => folders.includes(top) || folders.includes(`${top}/${sub}`),
  )
  return shared?.[0] ?? (top === 'modules' ? sub : top)
}
