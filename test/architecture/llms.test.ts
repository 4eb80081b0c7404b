/** `docs/llms.txt`, the index of the docs for coding assistants (https://llmstxt.org). */
import { existsSync, readdirSync, readFileSync } from 'node:fs'
import test from 'ava'
import { packageRoot } from '../../kernel/base/package-root.ts'

const DOCS = new URL('docs/', packageRoot)
const text = readFileSync(new URL('llms.txt', DOCS), 'utf8')
const links = [...text.matchAll(/^- \[[^\]]+\]\(([^)]+)\): \S/gm)].map(([, target]) => target as string)

test('lists only files that exist', t => {
  t.deepEqual(
    links.filter(target => !existsSync(new URL(target, DOCS))),
    [],
  )
})

test('lists every page of the docs once, and decisions by their index', t => {
  const pages = readdirSync(DOCS, { recursive: true, encoding: 'utf8' })
    .map(path => path.replaceAll('\\', '/'))
    .filter(path => path.endsWith('.md') && !/^decisions\/\d/.test(path))
  t.deepEqual(links.toSorted(), pages.toSorted())
})

test('has the format of llmstxt.org: a title, a summary, details, and lists of links', t => {
  const lines = text.split('\n').filter(Boolean)
  t.regex(lines[0] ?? '', /^# \S/)
  t.regex(lines[1] ?? '', /^> \S/)
  const sections = text.split(/^## /m).slice(1)
  t.true(sections.length > 0)
  for (const section of sections) {
    const [title = '', ...items] = section.split('\n').filter(Boolean)
    t.deepEqual(
      items.filter(item => !/^- \[[^\]]+\]\([^)]+\): \S/.test(item)),
      [],
      title,
    )
  }
})
