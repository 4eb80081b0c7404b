// Writes dist/test-groups: each file runs many test files in one AVA process. See docs/testing.md.
import { mkdirSync, readdirSync, rmSync, writeFileSync } from 'node:fs'
import { dirname, join, sep } from 'node:path'
import { fileURLToPath } from 'node:url'

const root = dirname(dirname(fileURLToPath(import.meta.url)))
const tests = join(root, 'dist', 'test')
const groups = join(root, 'dist', 'test-groups')

/** Folders that `npm test` does not run. */
const EXCLUDED = /^(system|soak)\//
/**
 * Folders that share a group, because a process takes 2 to 3 s of CPU time to import the kernel. Other modules and
 * folders have a group each. The first entry that fits decides.
 */
const SHARED = {
  queues: ['services/jobs', 'services/outbox'],
  kernel: ['architecture', 'bin', 'client', 'kernel'],
  products: ['modules/billing', 'modules/features', 'modules/platform'],
  requests: ['modules/sessions', 'modules/webhooks'],
}
/** Groups that are split into this many processes, so that all processes end at about the same time. */
const PARTS = { reliability: 3, recipes: 2 }

export function writeGroups() {
  rmSync(groups, { recursive: true, force: true })
  mkdirSync(groups, { recursive: true })
  for (const [name, files] of grouped(testFiles()))
    writeFileSync(
      join(groups, `${name}.test.js`),
      `import { runGroup } from '../test/groups/group.js'\n\nawait runGroup(${JSON.stringify(files, null, 2)})\n`,
    )
}

/** Paths below dist/test, with slashes. */
function testFiles() {
  return readdirSync(tests, { recursive: true, encoding: 'utf8' })
    .map(path => path.split(sep).join('/'))
    .filter(path => path.endsWith('.test.js') && !path.endsWith('.system.test.js') && !EXCLUDED.test(path))
    .sort()
}

function grouped(files) {
  const named = {}
  for (const file of files) {
    const name = groupOf(file)
    named[name] ??= []
    named[name].push(file)
  }
  return Object.entries(named).flatMap(([name, all]) => {
    const parts = PARTS[name] ?? 1
    if (parts === 1) return [[name, all]]
    return Array.from({ length: parts }, (_, part) => [
      `${name}-${part + 1}`,
      all.filter((_, index) => index % parts === part),
    ])
  })
}

/** `forms` of modules/forms/routes/forms.test.js, `queues` of services/jobs/jobs.test.js. */
function groupOf(file) {
  const [top, sub] = file.split('/')
  const shared = Object.entries(SHARED).find(
    ([, folders]) => folders.includes(top) || folders.includes(`${top}/${sub}`),
  )
  return shared?.[0] ?? (top === 'modules' ? sub : top)
}
