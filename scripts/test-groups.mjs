// Writes dist/test-groups: each file runs many test files in one AVA process. See docs/testing.md.
import { mkdirSync, readdirSync, rmSync, writeFileSync } from 'node:fs'
import { dirname, join, sep } from 'node:path'
import { fileURLToPath } from 'node:url'

const root = dirname(dirname(fileURLToPath(import.meta.url)))
const tests = join(root, 'dist', 'test')
const groups = join(root, 'dist', 'test-groups')

/** Folders that `npm test` does not run. */
const EXCLUDED = /^(system|soak)\//
/** Folders of the kernel and the services that have a separate group. */
const OWN_GROUP = new Set(['kernel/recipe', 'services/http', 'services/postgres', 'services/outbox', 'services/jobs'])
/** Larger folders are split into several groups, so that processes end at about the same time. */
const MAX_FILES = 16
/** Folders with slower tests. */
const MAX_FILES_OF = { reliability: 5, messaging: 8 }

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
  const folders = {}
  for (const file of files) {
    const name = folderOf(file)
    folders[name] ??= []
    folders[name].push(file)
  }
  return Object.entries(folders).flatMap(([name, all]) => {
    const parts = Math.ceil(all.length / (MAX_FILES_OF[name] ?? MAX_FILES))
    if (parts === 1) return [[name, all]]
    return Array.from({ length: parts }, (_, part) => [
      `${name}-${part + 1}`,
      all.filter((_, index) => index % parts === part),
    ])
  })
}

/** `forms` of modules/forms/routes/forms.test.js, `services-http` of services/http/list.test.js; small folders share a group. */
function folderOf(file) {
  const [top, sub] = file.split('/')
  if (top === 'modules') return sub
  return file.split('/').length > 2 && OWN_GROUP.has(`${top}/${sub}`) ? `${top}-${sub}` : top
}
