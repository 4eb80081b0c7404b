// Writes dist/test-groups: each file runs many test files in one AVA process. A group imports a copy of each test file,
// `forms.grouped.js` of `forms.test.js`, that imports its own `test` in place of AVA's, which supports one file per
// process. Module hooks could replace the import too, but take a tenth of the CPU time of a group. See docs/testing.md.
import { mkdirSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
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
  queues: ['services/jobs', 'services/outbox'],
  data: ['modules/billing', 'modules/collections', 'modules/content', 'modules/media'],
  recipes: ['recipes', 'reliability', 'upgrade'],
  requests: [
    ...['modules/comms', 'modules/console', 'modules/features', 'modules/forms', 'modules/platform'],
    ...['modules/sessions', 'modules/webhooks'],
  ],
  kernel: [
    ...['architecture', 'bin', 'client', 'kernel', 'services', 'testing'],
    ...['modules/messaging', 'modules/streams'],
  ],
}

export function writeGroups() {
  rmSync(groups, { recursive: true, force: true })
  mkdirSync(groups, { recursive: true })
  for (const [name, files] of grouped(testFiles())) {
    for (const file of files) writeCopy(file)
    writeFileSync(
      join(groups, `${name}.test.js`),
      `import { runGroup } from '../test/groups/group.js'\n\nawait runGroup(${JSON.stringify(files, null, 2)})\n`,
    )
  }
}

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
