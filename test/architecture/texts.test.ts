import { readdirSync, readFileSync } from 'node:fs'
import { fileURLToPath } from 'node:url'
import test from 'ava'
import { parse } from 'yaml'
import { packageRoot } from '../../kernel/base/package-root.ts'
import { titleOf } from '../../services/http/problems.ts'

const root = fileURLToPath(packageRoot)
const LANGUAGES = `${root}themes/default/texts`

const filesIn = (folder: string, ending: string): string[] =>
  readdirSync(`${root}${folder}`, { recursive: true, encoding: 'utf8' })
    .filter(path => path.endsWith(ending))
    .map(path => `${folder}/${path}`)
const textOf = (file: string): string => readFileSync(root + file, 'utf8')
/** What stands in quotes, single or double. */
const QUOTED = `'((?:[^'\\\\\\n]|\\\\.)*)'|"((?:[^"\\\\\\n]|\\\\.)*)"`
const quoted = (text: string, before = '', after = ''): string[] =>
  [...text.matchAll(new RegExp(`${before}(?:${QUOTED})${after}`, 'g'))].map(([, a, b]) =>
    (a ?? b ?? '').replace(/\\(.)/g, '$1'),
  )

/** Modules that show pages. */
const SHOWING = readdirSync(`${root}modules`).filter(name =>
  filesIn(`modules/${name}`, '.hbs').some(file => file.includes('/templates/')),
)
const sources = SHOWING.flatMap(name => filesIn(`modules/${name}`, '.ts'))
const templates = [
  ...filesIn('themes', '.hbs'),
  ...SHOWING.flatMap(name => filesIn(`modules/${name}/templates`, '.hbs')),
]

/** Text → where it stands. */
const said = new Map<string, string>()
const note = (file: string, texts: readonly string[]) => {
  for (const text of texts) if (text !== '') said.set(text, file)
}
for (const file of templates) {
  note(file, quoted(textOf(file), '\\btext '))
  note(file, quoted(textOf(file), '\\{\\{>[^}]*\\blabel='))
}
for (const file of sources) {
  const text = textOf(file)
  for (const [, marked = ''] of text.matchAll(/\bsays\(([\s\S]*?)\)/g)) note(file, quoted(marked))
  if (/\bpage\(\{/.test(text)) note(file, quoted(text, '\\btitle: '))
  if (file.endsWith('account-tabs.ts')) note(file, quoted(text, '\\blabel: '))
}
for (const file of [
  ...sources.filter(file => file.endsWith('problems.ts')),
  'kernel/base/problem.ts',
  'services/http/problems.ts',
]) {
  const rows = quoted(textOf(file), '\\[\\d{3}, ', '\\]')
  note(
    file,
    rows.filter(sentence => sentence !== '{reason}'),
  )
}
for (const file of ['kernel/base/problem.ts', 'services/http/problems.ts'])
  note(
    file,
    [...textOf(file).matchAll(/^ +(\w+): \[\d{3}, /gm)].map(([, code = '']) => titleOf(code)),
  )
for (const module of readdirSync(`${root}modules`))
  note(module, quoted(textOf(`modules/${module}/module.ts`), '\\bsummary: '))
note('modules/media/domain/rejections.ts', quoted(textOf('modules/media/domain/rejections.ts'), ": \\['\\w+', ", '\\]'))

const languages = readdirSync(LANGUAGES)
const holes = (text: string, kind: RegExp): string[] => [...(text.match(kind) ?? [])].sort()

test('every text that a page can show is known in every language that ships', t => {
  t.true(said.size > 350, String(said.size))
  for (const example of [
    'Sign in',
    'Your account',
    'is being checked',
    'A virus was found.',
    '{0} viewers',
    'Not found',
  ])
    t.true(said.has(example), example)
  t.true(languages.length > 0)
  for (const name of languages) {
    const known = parse(readFileSync(`${LANGUAGES}/${name}`, 'utf8')) as Record<string, string>
    const missing = [...said].filter(([text]) => !Object.hasOwn(known, text))
    t.deepEqual(missing, [], name)
  }
})

test('a text in another language has the same holes, and no more names than there are', t => {
  for (const name of languages) {
    const known = parse(readFileSync(`${LANGUAGES}/${name}`, 'utf8')) as Record<string, string>
    for (const [text, other] of Object.entries(known)) {
      t.deepEqual(holes(other, /\{\d\}/g), holes(text, /\{\d\}/g), text)
      const names = holes(text, /\{[a-z]\w*\}/gi)
      t.deepEqual(
        holes(other, /\{[a-z]\w*\}/gi).filter(hole => !names.includes(hole)),
        [],
        text,
      )
    }
  }
})

test('templates of pages hold no words of their own beside those that are said in the reader’s language', t => {
  for (const file of templates) {
    const text = textOf(file)
      .replace(/^---[\s\S]*?\n---\n/, '')
      .replace(/\{\{!--[\s\S]*?--\}\}|\{\{[\s\S]*?\}\}/g, '')
      .replace(/<(script|style)[\s\S]*?<\/\1>/g, '')
      .replace(/<dt>[^<]*<\/dt><dd><\/dd>/g, '')
      .replace(/<code>[^<]*<\/code>/g, '')
    const words = [
      ...text.replace(/<[^>]*>/g, '\n').matchAll(/[A-Za-z]{2,}/g),
      ...text.matchAll(/(?:aria-label|title|alt)="[^"]*[A-Za-z]{2,}/g),
    ]
    t.deepEqual(
      words.map(([word]) => word),
      [],
      file,
    )
  }
})

test('what the scripts of the stream pages say stands on those pages in the reader’s language', t => {
  const shown = templates.map(textOf).join('\n')
  for (const script of ['larder-stream-pages.js', 'larder-edge.js']) {
    const sentences = quoted(textOf(`themes/default/assets/${script}`)).filter(text => /^[A-Z].*[.…]$/.test(text))
    t.true(sentences.length > 1, script)
    for (const sentence of sentences) t.true(shown.includes(`<dt>${sentence}</dt>`), sentence)
  }
})

test('every mail that ships is written in every language that ships', t => {
  const mails = readdirSync(`${root}modules`).flatMap(name =>
    filesIn(`modules/${name}`, '.hbs').filter(file => file.includes('/emails/')),
  )
  const written = mails.filter(file => !/\.[a-z]{2}\.hbs$/.test(file))
  t.true(written.length >= 7)
  for (const language of languages)
    for (const file of written)
      t.true(mails.includes(file.replace('.hbs', `.${language.replace('.yaml', '')}.hbs`)), file)
})
