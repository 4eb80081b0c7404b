import { existsSync, readdirSync, readFileSync } from 'node:fs'
import { fileURLToPath } from 'node:url'
import test from 'ava'
import { parse } from 'yaml'
import { packageRoot } from '../../kernel/base/package-root.ts'
import { titleOf } from '../../services/http/problems.ts'

const root = fileURLToPath(packageRoot)
const LOCALES = `${root}themes/default/locales`

const filesIn = (folder: string, ending: string): string[] =>
  readdirSync(`${root}${folder}`, { recursive: true, encoding: 'utf8' })
    .filter(path => path.endsWith(ending))
    .map(path => `${folder}/${path}`)
const textOf = (file: string): string => readFileSync(root + file, 'utf8')
/** A quoted string, single or double. */
const QUOTED = `'((?:[^'\\\\\\n]|\\\\.)*)'|"((?:[^"\\\\\\n]|\\\\.)*)"`
const quoted = (text: string, before = '', after = '', flags = 'g'): string[] =>
  [...text.matchAll(new RegExp(`${before}(?:${QUOTED})${after}`, flags))].map(([, a, b]) =>
    (a ?? b ?? '').replace(/\\(.)/g, '$1'),
  )

const sources = filesIn('modules', '.ts')
const templates = [
  ...filesIn('themes', '.hbs'),
  ...filesIn('modules', '.hbs').filter(file => file.includes('/templates/')),
]

/** The theme has the form of the module forms, whose pages show it. */
const FORM = 'themes/default/partials/form.hbs'
/** Text → the files that use it. */
const said = new Map<string, Set<string>>()
const note = (file: string, texts: readonly string[]) => {
  for (const text of texts) {
    if (text === '') continue
    const files = said.get(text) ?? new Set()
    said.set(text, files.add(file === FORM ? 'modules/forms' : file))
  }
}
for (const file of templates) {
  note(file, quoted(textOf(file), '\\btext '))
  for (const [partial] of textOf(file).matchAll(/\{\{>(?:'[^'\n]*'|"[^"\n]*"|[^}'"])*\}\}/g))
    for (const name of ['label', 'question', 'about']) note(file, quoted(partial, `\\b${name}=`))
}
for (const file of sources) {
  const text = textOf(file)
  for (const [, marked = ''] of text.matchAll(/\bdefineTexts\(([\s\S]*?)\)/g)) note(file, quoted(marked))
  if (/\bpage\(\{/.test(text)) note(file, quoted(text, '\\btitle: '))
  if (file.endsWith('audit-actions.ts')) note(file, quoted(text, '\\b(?:title|sentence):\\s+'))
  if (file.endsWith('account-tabs.ts')) note(file, quoted(text, '\\blabel: '))
}
/** Files that define problems: their codes are titles, too. */
const problemFiles = [...sources, ...filesIn('kernel', '.ts'), ...filesIn('services', '.ts')].filter(file =>
  /\bdefine(?:Problems|Reasons)\(/.test(textOf(file)),
)
for (const file of problemFiles)
  for (const [, sentences = ''] of textOf(file).matchAll(/\bdefineReasons\([\w.]+, \{\n([\s\S]*?)\n\}\)/g))
    note(file, quoted(sentences, '\\w: +', ','))
for (const file of problemFiles)
  for (const [, rows = ''] of textOf(file).matchAll(/\bdefineProblems\(\{\n([\s\S]*?)\n\}\)/g)) {
    note(file, quoted(rows, '\\[\\s*\\d{3},\\s*'))
    note(
      file,
      [...rows.matchAll(/^ {2}(\w+): \[\s*\d{3},/gm)].map(([, code = '']) => titleOf(code)),
    )
  }
for (const file of [...sources, ...filesIn('kernel', '.ts'), ...filesIn('services', '.ts')])
  note(file, quoted(textOf(file), '\\bwording\\(\\s*'))
for (const module of readdirSync(`${root}modules`)) {
  const declaration = textOf(`modules/${module}/module.ts`)
  const [, permissions = ''] = /\bpermissions: \{\n([\s\S]*?)\n {2}\},\n/.exec(declaration) ?? []
  note(`modules/${module}`, quoted(permissions, "(?:^|\\n) +'[a-z_]+\\.[a-z_]+\\.[a-z_]+': "))
  note(`modules/${module}`, quoted(permissions, '\\btitle: '))
  note(`modules/${module}`, quoted(declaration, "'tenant\\.\\w+': \\{ name: "))
  note(`modules/${module}`, quoted(declaration, '\\bsummary: '))
  const events = `modules/${module}/events.ts`
  if (existsSync(root + events)) note(events, quoted(textOf(events), '\\bpublicEvent\\(\\s*'))
}
note('modules/media/domain/rejections.ts', quoted(textOf('modules/media/domain/rejections.ts'), ": \\['\\w+', ", '\\]'))

/** Files of `en.yaml` only reword what is in the code. */
const languages = readdirSync(LOCALES).filter(name => name !== 'en.yaml')
const modules = readdirSync(`${root}modules`)
const known = new Map<string, Readonly<Record<string, string>>>()
function read(file: string): Readonly<Record<string, string>> {
  const texts =
    known.get(file) ?? (existsSync(file) ? (parse(readFileSync(file, 'utf8')) as Record<string, string>) : {})
  known.set(file, texts)
  return texts
}
/** Translations by their file: those of the theme and of each module. */
const translations = (language: string): [file: string, texts: Readonly<Record<string, string>>][] =>
  [`${LOCALES}/${language}`, ...modules.map(name => `${root}modules/${name}/locales/${language}`)].map(file => [
    file,
    read(file),
  ])
/** Texts of a module are in its own file or in that of the theme. */
const translated = (text: string, source: string, language: string): boolean => {
  const module = /modules\/([^/]+)/.exec(source)?.[1]
  const own = module === undefined ? {} : read(`${root}modules/${module}/locales/${language}`)
  return [own, read(`${LOCALES}/${language}`)].some(texts => Object.hasOwn(texts, text))
}
const holes = (text: string, kind: RegExp): string[] => [...(text.match(kind) ?? [])].sort()

test('every language that ships translates every text of a page', t => {
  t.true(said.size > 350, String(said.size))
  for (const example of [
    'Sign in',
    'Your account',
    'Checking',
    'The file contains a virus.',
    'A trial started.',
    '{0} viewers',
    'Not found',
    'The body is not UTF-8.',
    'must be one of {choices}',
    'a quote within a value is not doubled',
  ])
    t.true(said.has(example), example)
  t.true(languages.length > 0)
  for (const name of languages) {
    const missing = [...said].flatMap(([text, sources]) =>
      [...sources].filter(source => !translated(text, source, name)).map(source => [text, source]),
    )
    t.deepEqual(missing, [], name)
  }
})

test('every sentence of an error is written where its translation is looked up', t => {
  const files = [...sources, ...filesIn('kernel', '.ts'), ...filesIn('services', '.ts')]
  const hidden = files.flatMap(file =>
    [...textOf(file).matchAll(/\bwording\((?!\s*['"])[^\n]*/g)].map(([call]) => `${file}: ${call}`),
  )
  t.deepEqual(hidden, [])
})

test('every action in the audit log has a title and a sentence', t => {
  const files = sources.filter(file => file.endsWith('audit-actions.ts'))
  const declared = files.flatMap(file =>
    [...textOf(file).matchAll(/^ {2}'([\w.]+)': \{/gm)].map(([, action]) => action),
  )
  const recorded = sources.flatMap(file =>
    [...textOf(file).matchAll(/\baction(?::| =) '(\w+\.\w+)'/g)].map(([, action]) => action),
  )
  t.true(recorded.length > 15)
  t.deepEqual(
    recorded.filter(action => !declared.includes(action)),
    [],
  )
})

test('a translation has the placeholders of its text', t => {
  for (const name of languages) {
    for (const [text, other] of translations(name).flatMap(([, texts]) => Object.entries(texts))) {
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

/** Words that German doesn't have. */
const ENGLISH =
  /\b(?:must|the|is|are|isn't|has|have|your|this|that|with|of|to|can't|doesn't|only|from|already|needs|requires|and|for|by|you|it|unknown|invalid|like|at least|at most|can|be)\b/i
/** Names, and what is quoted. */
const NAMED = /`[^`]*`|„[^“]*“|"[^"]*"|\{\w+\}|https?:\S+|<code>.*?<\/code>|Have I Been Pwned|X-Forwarded-For/g

/** Units are the same in German. */
const UNIT = /^\{count\} m?s$/
/** A name of the API with three parts, such as a permission. */
const KEY = new RegExp(`\\b(?:${modules.join('|')})\\.[a-z_]+\\.[a-z_]+\\b`)

/** Pairs of the console: `save: ['Save', 'Speichern']` and `{ en: 'Save', de: 'Speichern' }`. */
const consoleFiles = ['.ts', '.tsx'].flatMap(ending => filesIn('modules/console/app', ending))
const TEXT = `(?:${QUOTED})`
const PAIR = new RegExp(`: \\[\\s*${TEXT},\\s*${TEXT},?\\s*\\]`, 'g')
const TITLE = new RegExp(`\\{\\s*en: ${TEXT},\\s*de: ${TEXT},?\\s*\\}`, 'g')
const pairsIn = (code: string): [text: string, german: string][] =>
  [...(code.includes('bilingual(') ? code.matchAll(PAIR) : []), ...code.matchAll(TITLE)].map(([, ...found]) => {
    const [text = '', german = ''] = found.filter(part => part !== undefined).map(part => part.replace(/\\(.)/g, '$1'))
    return [text, german]
  })
/** Texts without their German: `save: 'Save'` and `{ en: 'Save' }`. */
function sharedIn(code: string): string[] {
  const [, ...bilingual] = code.split('bilingual(')
  return [...quoted(bilingual.join(''), "^\\s+(?:\\w+|'[^']*'): ", ',$', 'gm'), ...quoted(code, '\\{ en: ', ' \\}')]
}
const consolePairs = consoleFiles.flatMap(file =>
  pairsIn(textOf(file)).map(([text, german]) => ({ file, text, german })),
)
const germanTexts = [
  ...translations('de.yaml').flatMap(([file, texts]) =>
    Object.entries(texts).map(([text, german]) => ({ file, text, german })),
  ),
  ...consolePairs,
]

test('no German text has English words', t => {
  const english = germanTexts
    .filter(({ text, german }) => ENGLISH.test(german.replace(NAMED, '')) || (german === text && / [a-z]/.test(text)))
    .filter(({ text }) => !UNIT.test(text))
    .map(({ file, german }) => `${file}: ${german}`)
  t.deepEqual(english, [])
  t.true(ENGLISH.test('Das Feld must be a text'.replace(NAMED, '')))
})

test('a German text quotes the keys that it names', t => {
  const bare = germanTexts.filter(({ german }) => KEY.test(german.replace(NAMED, '')))
  t.deepEqual(
    bare.map(({ file, german }) => `${file}: ${german}`),
    [],
  )
  t.true(KEY.test('Sie brauchen identity.user.read.'.replace(NAMED, '')))
  t.false(KEY.test('Sie brauchen `identity.user.read`.'.replace(NAMED, '')))
})

test('German texts use the words of the glossary in CONTRIBUTING.md', t => {
  const [, glossary = ''] = textOf('CONTRIBUTING.md').split('| English | German | Not |\n|---|---|---|\n')
  const rows = glossary.split('\n\n')[0]?.split('\n') ?? []
  const rejected = rows.flatMap(row => row.split('|')[3]?.trim().split(', ') ?? [])
  t.true(rejected.includes('Benutzer'), rejected.join())
  const word = new RegExp(`(?<![\\p{L}-])(?:${rejected.join('|')})s?n?(?![\\p{L}-])`, 'u')
  const mails = filesIn('modules', '.de.hbs').map(file => ({ file, german: textOf(file) }))
  t.true(mails.length > 5)
  const found = [...germanTexts, ...mails].filter(({ german }) => word.test(german.replace(NAMED, '')))
  t.deepEqual(
    found.map(({ file, german }) => `${file}: ${word.exec(german)?.[0]}`),
    [],
  )
})

test('a text of the console that is written without its German has one in a file', t => {
  const shared = consoleFiles.flatMap(file => sharedIn(textOf(file)).map(text => ({ file, text })))
  t.true(shared.length > 200, String(shared.length))
  const known = new Set(translations('de.yaml').flatMap(([, texts]) => Object.keys(texts)))
  t.deepEqual(
    shared.filter(({ text }) => !known.has(text)),
    [],
  )
})

test('no text of the console is translated twice', t => {
  t.true(consolePairs.length > 700, String(consolePairs.length))
  const seen = new Map<string, string>()
  for (const [file, texts] of translations('de.yaml')) for (const text of Object.keys(texts)) seen.set(text, file)
  const twice: string[] = []
  for (const { file, text } of consolePairs) {
    const other = seen.get(text)
    if (other !== undefined) twice.push(`${text}: ${file} and ${other}`)
    seen.set(text, file)
  }
  t.deepEqual(twice, [])
})

test('no text is translated in two files', t => {
  for (const name of languages) {
    const seen = new Map<string, string>()
    for (const [file, texts] of translations(name))
      for (const text of Object.keys(texts)) {
        t.is(seen.get(text), undefined, `${text}: ${file}`)
        seen.set(text, file)
      }
  }
})

test('templates of pages contain no untranslated words', t => {
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

test('the stream pages contain the translated texts of their script', t => {
  const shown = templates.map(textOf).join('\n')
  const script = textOf('themes/default/assets/larder-stream-pages.js')
  const sentences = quoted(script).filter(text => /^[A-Z].*[.…]$/.test(text))
  t.true(sentences.length > 1)
  for (const sentence of sentences) t.true(shown.includes(`<dt>${sentence}</dt>`), sentence)
})

test('every mail that ships exists in every language that ships', t => {
  const mails = readdirSync(`${root}modules`).flatMap(name =>
    filesIn(`modules/${name}`, '.hbs').filter(file => file.includes('/emails/')),
  )
  const written = mails.filter(file => !/\.[a-z]{2}\.hbs$/.test(file))
  t.true(written.length >= 7)
  for (const language of languages)
    for (const file of written)
      t.true(mails.includes(file.replace('.hbs', `.${language.replace('.yaml', '')}.hbs`)), file)
})
