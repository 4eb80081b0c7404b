/** Theme inheritance, and theme settings of a recipe. */
import { join } from 'node:path'
import test, { type ExecutionContext } from 'ava'
import { pino } from 'pino'
import { contrast, legible, parseColor, textOn } from '../../../services/templates/contrast.ts'
import { RenderError } from '../../../services/templates/engine.ts'
import { languagesFor } from '../../../services/templates/languages.ts'
import { loadTheme } from '../../../services/templates/theme.ts'
import { folderOf, PRODUCT } from './fixtures.ts'

const log = pino({ level: 'silent' })
const CONTEXT = { locale: 'en', path: '/x', nonce: 'n0nce' }
const ALONE = {
  'theme.yaml': 'name: T\ntokens: { accent: "#3544d6", background: "#ffffff" }\n',
  'layouts/page.hbs': 'page[{{body}}]{{page.title}}',
  'layouts/focus.hbs': 'focus[{{body}}]',
  'partials/who.hbs': '{{who}}',
  'pages/problem.hbs': '{{status}}',
  'pages/home.hbs': 'home',
  'pages/problems.hbs': 'problems',
  'mail/layout.hbs': '{{#if product.logo}}<img src="{{url product.logo}}" alt="">{{/if}}{{body}}',
  'mail/mail.css': '',
  'assets/larder.css': 'base{}',
}
const under = (name: string, files: Readonly<Record<string, string>>) =>
  Object.fromEntries(Object.entries(files).map(([file, text]) => [`${name}/${file}`, text]))
/** A theme `own` that extends `base`. */
const extending = (
  t: ExecutionContext,
  own: Readonly<Record<string, string>>,
  base: Readonly<Record<string, string>> = {},
) =>
  join(
    folderOf(t, {
      ...under('base', { ...ALONE, ...base }),
      ...under('own', { 'theme.yaml': 'extends: ../base\n', ...own }),
    }).path,
    'own',
  )
const load = (folder: string, more: Partial<Parameters<typeof loadTheme>[0]> = {}) =>
  loadTheme({ folder, product: PRODUCT, log, ...more })
const refusal = (folder: string, tokens: Readonly<Record<string, string>> = {}) => {
  try {
    load(folder, { tokens })
  } catch (error) {
    return (error as Error).message
  }
  return 'it loads'
}

test('a theme inherits files from the theme it extends and can override each of them', t => {
  const theme = load(
    extending(
      t,
      { 'pages/shop.list.hbs': 'own {{> who}}', 'layouts/focus.hbs': 'FOCUS[{{body}}]' },
      { 'pages/shop.list.hbs': 'base', 'pages/shop.item.hbs': '---\nlayout: focus\n---\nitem' },
    ),
  )
  t.is(theme.render({ name: 'shop.list', title: 'T' }, { who: 'Ada' }, CONTEXT), 'page[own Ada]T')
  t.is(theme.render({ name: 'shop.item', title: 'T' }, {}, CONTEXT), 'FOCUS[item]')
})

test('appends theme.css to the styles of the extended theme, after the tokens', t => {
  const theme = load(
    extending(
      t,
      { 'theme.yaml': 'extends: ../base\ntokens: { accent: "#aa0000" }\n', 'assets/theme.css': 'own{}' },
      { 'assets/theme.css': 'parent{}' },
    ),
  )
  const css = String(theme.assetAt(theme.asset('larder.css'))?.bytes)
  t.regex(css, /^:root\{--accent:#aa0000;--background:#ffffff;.*\n@media[^\n]*\nbase\{\}parent\{\}own\{\}$/)
})

test('theme.yaml assigns layouts to pages, by full name first; otherwise the page names its layout', t => {
  const yaml = 'extends: ../base\nlayouts:\n  focus: [shop.*]\n  page: [shop.list]\n'
  const pages = {
    'pages/shop.list.hbs': 'l',
    'pages/shop.item.hbs': 'i',
    'pages/blog.post.hbs': '---\nlayout: focus\n---\np',
  }
  const theme = load(extending(t, { 'theme.yaml': yaml, ...pages }))
  const shown = (name: string) => theme.render({ name, title: '' }, {}, CONTEXT)
  t.deepEqual([shown('shop.list'), shown('shop.item'), shown('blog.post')], ['page[l]', 'focus[i]', 'focus[p]'])
})

test('reports theme errors with file and line', t => {
  const faulty = (yaml: string, more = {}) => refusal(extending(t, { 'theme.yaml': yaml, ...more }))
  t.regex(faulty('extends: ../base\ncolours: {}\n'), /theme\.yaml:2:1 unknown key 'colours' in a theme\.yaml/)
  t.regex(faulty('extends: ../base\ntokns: {}\n'), /theme\.yaml:2:1 .*Did you mean "tokens"\?/)
  t.regex(faulty('extends: ../base\ntokens:\n  accent: "red;}"\n'), /theme\.yaml:3:3 the token 'accent' must be a CSS/)
  t.regex(
    faulty('extends: ../base\ntokens:\n  accent: #fff\n'),
    /theme\.yaml:3:3 the token 'accent' has no valid CSS value/,
  )
  t.regex(faulty('extends: ../base\ntokens: { accent: wide }\n'), /theme\.yaml:2:11 .* must be a color, not 'wide'/)
  t.regex(faulty('extends: ../base\ndark: { acent: red }\n'), /theme\.yaml:2:9 .*'acent': Did you mean "accent"\?/)
  t.regex(faulty('- a list\n'), /theme\.yaml:1:1 a theme\.yaml must be a map/)
  t.regex(
    faulty('extends: ../base\nlayouts:\n  wide: [a.b]\n'),
    /theme\.yaml:3:3 the theme has no layout 'wide': it has focus, page/,
  )
  t.regex(faulty('extends: ../base\nlayouts: { focus: a.b }\n'), /the pages with the layout focus must be a list/)
  t.regex(faulty('extends: ../nowhere\n'), /theme\.yaml:1:1 unknown theme .*nowhere in extends/)
  t.regex(faulty('extends: nonsense\n'), /unknown theme "nonsense" in extends: refer to a theme beside/)
  t.regex(faulty('extends: .\n'), /extend each other in a cycle/)
  t.regex(faulty('name: [\n'), /theme\.yaml:\d+:\d+ /)
  t.regex(faulty('name: Alone\n'), /missing file: add it, or extend a theme that has it/)
  t.regex(refusal(folderOf(t, {}).path), /this folder has no theme\.yaml/)
  const page = (text: string) => {
    const theme = load(extending(t, { 'pages/shop.list.hbs': text }))
    return t.throws(() => theme.prepare({ name: 'shop.list', title: '' }))?.message ?? ''
  }
  t.regex(page('---\nlayout: gone\n---\n'), /shop\.list\.hbs:2:1 the theme has no layout 'gone'/)
  const keys =
    /shop\.list\.hbs:2:1 the front matter of a page may only contain layout, title, data, forms and embed: layout: focus$/m
  t.regex(page('---\nlayuot: focus\n---\n'), keys)
  t.regex(page('---\ndata: [rows]\n---\n'), keys)
  t.regex(page('---\nembed: true\n---\n'), keys)
  t.regex(page('---\nlayout: focus\n---\n\n{{#if}'), /shop\.list\.hbs:5:/)
})

test('a template can set the title of its page, and request data', t => {
  const frontMatter = `---\ntitle: "{{course.title}}"\ndata:\n  course: { collection: courses, one: true }\n---\n`
  const theme = load(extending(t, { 'pages/shop.list.hbs': `${frontMatter}{{course.title}}` }))
  const page = { name: 'shop.list', title: 'Course' }
  t.deepEqual(theme.queries(page, 'en'), { course: { collection: 'courses', one: true } })
  t.regex(theme.render(page, { course: { title: 'Chess & Go' } }, CONTEXT), /Chess &amp; Go/)
  t.deepEqual(theme.queries({ name: 'home', title: '' }, 'en'), {})
})

test('reports a missing value in the file that uses it, including partials', t => {
  const theme = load(
    extending(t, { 'pages/shop.list.hbs': '---\nlayout: focus\n---\n{{> who}}', 'partials/who.hbs': '\n{{who}}' }),
  )
  const error = t.throws(() => theme.render({ name: 'shop.list', title: '' }, {}, CONTEXT), { instanceOf: RenderError })
  t.regex(error?.problem.file ?? '', /partials\/who\.hbs$/)
  t.is(error?.problem.line, 2)
})

test('partials can use each other in any order', t => {
  const theme = load(
    extending(t, { 'partials/a.hbs': '<{{> z}}>', 'partials/z.hbs': 'z', 'pages/shop.list.hbs': '{{> a}}' }),
  )
  t.is(theme.render({ name: 'shop.list', title: '' }, {}, CONTEXT), 'page[<z>]')
})

test('rejects an unknown token of the recipe and suggests the nearest', t => {
  t.regex(
    refusal(extending(t, {}), { acccent: '#000000' }),
    /this theme has no token 'acccent': Did you mean "accent"\?/,
  )
})

test('translates texts and fills their placeholders', t => {
  const theme = load(
    extending(
      t,
      {
        'locales/de.yaml': '"Hello {0}": "Hallo {0}"\nTitle: Titel\n',
        'pages/shop.list.hbs': "{{text 'Hello {0}' who}} {{text 'toString'}}",
      },
      { 'locales/de.yaml': '"Hello {0}": "Guten Tag {0}"\n' },
    ),
  )
  const shown = (locale: string) =>
    theme.render({ name: 'shop.list', title: 'Title' }, { who: '<Ada>' }, { ...CONTEXT, locale })
  t.is(shown('de-AT'), 'page[Hallo &lt;Ada&gt; toString]Titel')
  t.is(shown('en'), 'page[Hello &lt;Ada&gt; toString]Title')
  t.regex(
    refusal(extending(t, { 'locales/de.yaml': 'a: { b: c }' })),
    /locales\/de\.yaml:1:1 this file must map each text to its translation/,
  )
})

test('translations of modules apply to their pages, and a theme can override them', t => {
  const modules = folderOf(t, {
    'shop/de.yaml': 'Title: Titel\nOrder: Bestellung\n',
    'blog/de.yaml': 'Post: Beitrag\n',
  })
  const texts = ['shop/', 'blog/', 'none/'].map(name => new URL(name, modules.url))
  const theme = load(
    extending(t, {
      'locales/de.yaml': 'Order: Auftrag\n',
      'locales/en.yaml': 'Title: Heading\n',
      'pages/shop.list.hbs': "{{text 'Order'}} {{text 'Post'}}",
    }),
    { texts },
  )
  const shown = (locale: string) => theme.render({ name: 'shop.list', title: 'Title' }, {}, { ...CONTEXT, locale })
  t.is(shown('de'), 'page[Auftrag Beitrag]Titel')
  t.is(shown('en'), 'page[Order Post]Heading')
})

test('skips translations of languages that the product does not have', t => {
  const folder = extending(t, { 'locales/fr.yaml': 'no text', 'pages/shop.list.hbs': "{{text 'Title'}}" })
  const speaking = (available: string[]) => () =>
    load(folder, { product: { ...PRODUCT, locales: { default: 'en', available } } })
  t.notThrows(speaking(['en', 'de']))
  t.throws(speaking(['en', 'fr-CA']), { message: /locales\/fr\.yaml:1:1 / })
})

test('matches texts with named placeholders and translates their values', t => {
  const yaml = `"There is no {what} with this {key}.": "{what} mit {key} gibt es nicht."
"There is no {what}.": "Kein {what}."
page: Seite
`
  const theme = load(extending(t, { 'locales/de.yaml': yaml, 'pages/shop.list.hbs': '{{text said}}' }))
  const shown = (said: string) =>
    theme.render({ name: 'shop.list', title: '' }, { said }, { ...CONTEXT, locale: 'de' }).slice(5, -1)
  t.is(shown('There is no page with this id.'), 'Seite mit id gibt es nicht.')
  t.is(shown('There is no book.'), 'Kein book.')
  t.is(shown('There is no $& with this .*.'), '$&amp; mit .* gibt es nicht.')
  t.is(shown('There is no'), 'There is no')
  t.is(shown(`There is no ${'a'.repeat(600)}.`).length, 613)
})

test('matches a text that has the same placeholder twice', t => {
  const yaml = '"{name} was renamed. Use {name} alone.": "Nur {name}, das war {name}."\n'
  const theme = load(extending(t, { 'locales/de.yaml': yaml, 'pages/shop.list.hbs': '{{text said}}' }))
  const shown = (said: string) =>
    theme.render({ name: 'shop.list', title: '' }, { said }, { ...CONTEXT, locale: 'de' }).slice(5, -1)
  t.is(shown('page was renamed. Use page alone.'), 'Nur page, das war page.')
  t.is(shown('page was renamed. Use book alone.'), 'page was renamed. Use book alone.')
})

test('of several texts that match, takes the one with the most words of its own', t => {
  const yaml = '"{name} {problem}": "{name} {problem}"\n"{row}: create": "{row}: anlegen"\ncreate: erstellen\n'
  const theme = load(extending(t, { 'locales/de.yaml': yaml, 'pages/shop.list.hbs': '{{text said}}' }))
  const shown = (said: string) =>
    theme.render({ name: 'shop.list', title: '' }, { said }, { ...CONTEXT, locale: 'de' }).slice(5, -1)
  t.is(shown('Course: create'), 'Course: anlegen')
  t.is(shown('please create'), 'please create')
})

test('prefers a template for the language', t => {
  const theme = load(extending(t, { 'pages/shop.list.hbs': 'list', 'pages/shop.list.de.hbs': 'Liste' }))
  const shown = (locale: string) => theme.render({ name: 'shop.list', title: '' }, {}, { ...CONTEXT, locale })
  t.deepEqual([shown('en'), shown('de'), shown('fr')], ['page[list]', 'page[Liste]', 'page[list]'])
})

test('serves the logo as an asset and shows it in mail unless it is an SVG', t => {
  const { path } = folderOf(t, { 'logo.svg': '<svg/>', 'logo.png': 'png', 'logo.txt': 'text' })
  const folder = extending(t, { 'pages/home.hbs': '{{product.logo}}' })
  const parts = { subject: 's', preheader: undefined, body: '<p>b</p>', locale: 'en', product: {} }
  const withLogo = (file: string) => load(folder, { logo: { light: join(path, file) } })
  const home = withLogo('logo.svg').render({ name: 'home', title: '' }, {}, CONTEXT)
  t.regex(home, /^page\[\/assets\/product-logo\.[0-9a-f]{16}\.svg\]$/)
  t.is(withLogo('logo.svg').mailLayout.wrap(parts), '<p>b</p>')
  t.regex(
    withLogo('logo.png').mailLayout.wrap(parts),
    /^<img src="https:\/\/acme\.test\/assets\/product-logo\.\w+\.png" alt=""><p>b/,
  )
  t.throws(() => withLogo('logo.txt'), { message: /a logo file must end in \.svg/ })
})

test('derives legible text colors', t => {
  t.deepEqual(
    [textOn('#3544d6'), textOn('#ffd400'), textOn('#fff'), textOn('tomato')],
    ['#ffffff', '#000000', '#000000', undefined],
  )
  for (const colour of ['#ffd400', '#0a7d4f', '#3544d6', '#ffffff', '#000000', '#808080'])
    for (const ground of ['#ffffff', '#f5f6f8', '#12151b']) {
      const text = parseColor(legible(colour, [ground]))
      t.true(text !== undefined && contrast(text, parseColor(ground) ?? [0, 0, 0]) >= 4.5, `${colour} on ${ground}`)
    }
  t.is(legible('#3544d6', ['#ffffff']), '#3544d6', 'what can be read stays as it is')
  t.is(legible('tomato', ['#ffffff']), 'tomato')
})

test('links to other languages of a page and keeps the query', t => {
  t.deepEqual(languagesFor(['en'], { locale: 'en', path: '/x' }), [])
  const links = (path: string, search = '') =>
    languagesFor(['en', 'de'], { locale: 'de', path, search }).map(
      ({ href, current, name }) => `${href} ${name} ${current}`,
    )
  t.deepEqual(links('/a', 'next=/b&lang=en'), ['/a?next=/b&lang=en English false', '/a?next=/b&lang=de Deutsch true'])
  t.deepEqual(links('//evil.test/\\x'), ['/evil.test/\\x?lang=en English false', '/evil.test/\\x?lang=de Deutsch true'])
  t.deepEqual(links('/\u0001'), ['/?lang=en English false', '/?lang=de Deutsch true'])
})
