import { existsSync, readdirSync, readFileSync } from 'node:fs'
import test from 'ava'
import { packageRoot } from '../../kernel/base/package-root.ts'

const docs = ['README.md', 'CONTRIBUTING.md', 'SECURITY.md', ...markdownIn('docs/')]

function markdownIn(folder: string): string[] {
  return readdirSync(new URL(folder, packageRoot), { recursive: true, encoding: 'utf8' })
    .filter(path => path.endsWith('.md'))
    .map(path => folder + path)
}

const read = (path: string): string => readFileSync(new URL(path, packageRoot), 'utf8')

/** Relative links of a Markdown text that lead to no file. */
function brokenLinks(path: string, text: string): string[] {
  return [...text.matchAll(/\]\((?!https?:|mailto:|[#/])([^)#\s]+)(?:#[^)\s]*)?\)/g)]
    .map(([, target]) => target as string)
    .filter(target => !existsSync(new URL(target, new URL(path, packageRoot))))
    .map(target => `${path}: ${target}`)
}

/** Source files that a Markdown text names and that don't exist. */
const missingSources = (path: string, text: string): string[] =>
  [...text.matchAll(/`((?:kernel|services|modules|bin|testing|scripts)\/[\w./-]+\.(?:ts|mjs))`/g)]
    .map(([, source]) => source as string)
    .filter(source => !existsSync(new URL(source, packageRoot)))
    .map(source => `${path}: ${source}`)

test('every relative link in the docs leads to a file', t => {
  t.deepEqual(
    docs.flatMap(path => brokenLinks(path, read(path))),
    [],
  )
})

test('every source file that the docs name exists', t => {
  t.deepEqual(
    ['docs/architecture.md', 'docs/testing.md', ...markdownIn('docs/decisions/')].flatMap(path =>
      missingSources(path, read(path)),
    ),
    [],
  )
})

/** Links of a page to test files whose text is the title of no test of the file. */
const missingTests = (text: string): string[] =>
  [...text.matchAll(/\[([^\]]+)\]\(\.\.\/(test\/[^)]+)\)/g)]
    .filter(([, title = '', path = '']) => !read(path).includes(`'${title}'`))
    .map(([link]) => link)

test('each test that the threat model names is in its file', t => {
  const page = read('docs/security.md')
  t.true([...page.matchAll(/\]\(\.\.\/test\//g)].length > 60)
  t.deepEqual(missingTests(page), [])
  t.is(missingTests('[no such behavior](../test/architecture/docs.test.ts)').length, 1)
})

/** Fields in the first column of a Markdown table. */
const fieldsOf = (text: string): string[] =>
  [...text.matchAll(/^\| (`[^|]*`) \|/gm)].flatMap(([, cell]) =>
    [...(cell as string).matchAll(/`(\w+)`/g)].map(([, field]) => field as string),
  )

const ports = ['services', 'modules'].flatMap(folder =>
  readdirSync(new URL(`${folder}/`, packageRoot))
    .map(name => `${folder}/${name}/ports.ts`)
    .filter(path => existsSync(new URL(path, packageRoot))),
)
/** Fields that a service or module adds to `defineModule`. */
const registrationsIn = (source: string): string[] =>
  [...(/interface Registrations \{([\s\S]*?)\n {2}\}/.exec(source)?.[1] ?? '').matchAll(/^ {4}(\w+):/gm)].map(
    ([, field]) => field as string,
  )

const REFERENCE = 'docs/reference/module-contract.md'
/** Cells of the rows of a Markdown table, without the head. */
const rowsOf = (text: string): string[][] =>
  [...text.matchAll(/^\| (`.*) \|$/gm)].map(([, row = '']) => row.split(/(?<!\\) ?\| ?/).map(cell => cell.trim()))

/** A chapter of a page, up to the next one of the same level. */
const chapter = (path: string, title: string): string => read(path).split(`\n## ${title}\n`)[1]?.split('\n## ')[0] ?? ''

test('the reference of the module contract describes every field of defineModule', t => {
  const rows = rowsOf(chapter(REFERENCE, 'Fields of `defineModule` and `defineService`'))
  t.true(rows.length > 50)
  t.deepEqual(
    rows.filter(cells => cells.at(-1) === '').map(([field]) => field),
    [],
  )
})

test('the guide to modules names only fields that exist', t => {
  const known = [
    ...fieldsOf(chapter(REFERENCE, 'Fields of `defineModule` and `defineService`')),
    ...ports.flatMap(path => registrationsIn(read(path))),
  ]
  t.true(known.includes('diagnose') && known.includes('stopTenant'))
  const named = fieldsOf(chapter('docs/modules.md', 'Other fields'))
  t.true(named.includes('topics'))
  t.deepEqual(
    named.filter(field => !known.includes(field)),
    [],
  )
})

test('the reference of the module contract lists every added field and every port', t => {
  const namesIn = (source: string, name: string) => {
    const [, body = ''] = new RegExp(`interface ${name} \\{\\n([\\s\\S]*?)\\n {0,2}\\}`).exec(source) ?? []
    return [...body.matchAll(/^ {2,4}(\w+): /gm)].map(([, field]) => field as string)
  }
  const reference = read(REFERENCE)
  const sources = ports.map(read)
  const fields = sources.flatMap(source => namesIn(source, 'Registrations'))
  t.true(fields.includes('rowHooks') && fields.includes('express'))
  const listed = fieldsOf(chapter(REFERENCE, 'Fields of `defineModule` and `defineService`'))
  t.deepEqual(
    fields.filter(field => !listed.includes(field)),
    [],
  )
  const all = [read('kernel/contract/ports.ts').replace('KernelPorts', 'Ports'), ...sources]
  const portNames = all.flatMap(source => namesIn(source, 'Ports'))
  t.true(portNames.includes('clock') && portNames.includes('mailer'))
  t.deepEqual(
    [...reference.matchAll(/^### `(\w+)`$/gm)].map(([, port]) => port),
    portNames,
  )
})

test('finds a planted broken link and a planted missing source', t => {
  t.deepEqual(brokenLinks('docs/a.md', '[gone](gone.md) [web](https://example.test/)'), ['docs/a.md: gone.md'])
  t.deepEqual(missingSources('docs/a.md', '`kernel/gone.ts` and `kernel/index.ts`'), ['docs/a.md: kernel/gone.ts'])
})

test('a decision has a title, its context, the decision and its consequences, in this order', t => {
  const form = /^Context, Decision(, Alternatives)?, Consequences(, Figures)?(, Example)?$/
  const headings = (text: string): string => [...text.matchAll(/^## (.*)$/gm)].map(([, title]) => title).join(', ')
  t.deepEqual(
    markdownIn('docs/decisions/')
      .filter(path => /\/\d{4}-/.test(path))
      .filter(path => !form.test(headings(read(path))) || !/^# (?!\d{4})\S/.test(read(path))),
    [],
  )
})
