/** Sends invalid requests to every operation, and invalid forms to every page, in German, and reads the answers. */
import { fileURLToPath } from 'node:url'
import test from 'ava'
import { packageRoot } from '../../kernel/base/package-root.ts'
import { startTestKernel, TEST_PASSWORD, type TestKernel } from '../../testing/index.ts'
import { visitor } from '../modules/identity/pages/forms.ts'
import { createRandom } from './fixtures.ts'
import type { Document } from './fuzz.ts'
import { createRequestGenerator } from './request-generator.ts'
import { createValuePool } from './value-pool.ts'

interface Answer {
  readonly title: string
  readonly detail: string
  readonly errors?: readonly { readonly detail: string }[]
}

/** Words that German doesn't have. */
const ENGLISH =
  /(?<![\p{L}\p{N}_])(?:must|the|is|are|isn't|not|has|have|your|this|that|with|of|to|can't|doesn't|only|from|already|needs|requires|and|for|by|you|it|unknown|invalid|like|such|at least|at most)(?![\p{L}\p{N}_])/iu
/** Names of the API that a sentence quotes. */
const QUOTED = /`[^`]*`|„[^“]*“|"[^"]*"|\bfilter\[\S*|\bor\[\S*|https?:\S+/g

/** Without the values of query parameters, which a sentence may repeat. */
const withoutParameters = (sentence: string, target: string): string =>
  [...new URL(target, kernel.url).searchParams.values()]
    .filter(value => value.length > 3)
    .reduce((text, value) => text.replaceAll(value.normalize('NFC'), ''), sentence)

let kernel: TestKernel
test.before(async () => {
  kernel = await startTestKernel({ recipe: fileURLToPath(new URL('recipes/full.yaml', packageRoot)) })
})
test.after.always(() => kernel?.stop())

test.serial('an error of any operation in German has no English words, and no keys of permissions', async t => {
  const document = kernel.kernel.ports.http.openapi() as unknown as Document
  const random = createRandom(7)
  const pool = createValuePool()
  pool.add('password', TEST_PASSWORD)
  const generator = createRequestGenerator(document, random, pool)
  const keys = kernel.kernel.ports.access.permissions().map(({ key }) => key)
  t.true(keys.length > 50)
  const english = new Map<string, string>()
  let read = 0
  for (let round = 0; round < 4; round++) {
    const { token, tenantId } = await kernel.register(`german-${round}@example.test`)
    const headers = { authorization: `Bearer ${token}`, 'x-tenant-id': tenantId }
    const callers = [
      { name: 'owner', weight: 6, headers },
      { name: 'anonymous', weight: 1, headers: {} },
    ]
    for (let sent = 0; sent < generator.operations; sent++) {
      const { method, target, body, headers: own, operation } = generator.next(callers)
      if (/logout|DELETE \/v1\/(identity\/tenants|auth)/.test(operation)) continue
      const response = await fetch(kernel.url + target, {
        method,
        headers: { ...own, 'accept-language': 'de' },
        ...(body !== undefined && { body }),
        redirect: 'manual',
      })
      const text = await response.text()
      if (!response.headers.get('content-type')?.startsWith('application/problem+json')) continue
      read++
      const { title, detail, errors = [] } = JSON.parse(text) as Answer
      const sentences = [title, detail, ...errors.map(error => error.detail)]
      for (const said of sentences.map(sentence => withoutParameters(sentence, target)))
        if (ENGLISH.test(said.replace(QUOTED, '')) || keys.some(key => said.includes(key))) english.set(said, operation)
    }
  }
  t.true(read > generator.operations, `${read} answers`)
  t.deepEqual([...english], [])
})

/** The last one is a wrong password, too. */
const INVALID = ['', 'x'.repeat(5000), '<b> \u{1f600}']

const decoded = (html: string): string =>
  html
    .replace(/&#(?:x([\da-f]+)|(\d+));/gi, (_, hex?: string, decimal?: string) =>
      String.fromCodePoint(hex === undefined ? Number(decimal) : Number.parseInt(hex, 16)),
    )
    .replaceAll('&lt;', '<')
    .replaceAll('&gt;', '>')
    .replaceAll('&quot;', '"')
    .replaceAll('&amp;', '&')
const attribute = (tag: string, name: string): string =>
  decoded(new RegExp(`\\s${name}="([^"]*)"`).exec(tag)?.[1] ?? '')

interface PageForm {
  readonly action: string
  /** What the page fills in: hidden inputs, and the first button, which Enter presses. */
  readonly given: Readonly<Record<string, string>>
  /** Names of what a person fills in. */
  readonly asked: readonly string[]
}
function formsIn(html: string, path: string): PageForm[] {
  return [...html.matchAll(/<form\b([^>]*)>([\s\S]*?)<\/form>/g)]
    .filter(([, attributes = '']) => attribute(attributes, 'method') === 'post')
    .map(([, attributes = '', content = '']) => {
      const tags = [...content.matchAll(/<(?:input|select|textarea|button)\b[^>]*\sname="[^>]*>/g)].map(([tag]) => tag)
      const button = /<button\b[^>]*>/.exec(content)?.[0]
      const isGiven = (tag: string) => tag === button || attribute(tag, 'type') === 'hidden'
      const given = tags.filter(isGiven).map(tag => [attribute(tag, 'name'), attribute(tag, 'value')])
      return {
        action: attribute(attributes, 'action') || path,
        given: Object.fromEntries(given.reverse()),
        asked: tags.filter(tag => !isGiven(tag) && !tag.startsWith('<button')).map(tag => attribute(tag, 'name')),
      }
    })
    .filter(({ asked }) => asked.length > 0)
}
/** The texts of the messages that a page shows about an error. */
const errorsIn = (html: string): string[] =>
  [...html.matchAll(/<(p|div)\b[^>]*(?:role="alert"|class="error"|\sdata-detail)[^>]*>([\s\S]*?)<\/\1>/g)].map(
    ([, , content = '']) =>
      decoded(content.replace(/<code\b[\s\S]*?<\/code>/g, '').replace(/<[^>]*>/g, ' '))
        .replace(/\s+/g, ' ')
        .trim(),
  )

test.serial('a page answers an invalid form in German without English words', async t => {
  const owner = await kernel.register('german-pages@example.test', { locale: 'de' })
  const { body: form } = await owner.post('/v1/forms', {
    name: 'Kontakt',
    access: 'public',
    schema: {
      required: ['email', 'size'],
      properties: {
        email: { type: 'string', format: 'email', title: 'E-Mail' },
        age: { type: 'integer', minimum: 18, title: 'Alter' },
        born: { type: 'string', format: 'date', title: 'Geburtstag' },
        size: { enum: ['S', 'L'], title: 'Größe' },
        message: { type: 'string', maxLength: 20, title: 'Nachricht' },
      },
    },
  })
  const language = { 'accept-language': 'de' }
  const visitors = [
    visitor(kernel, `${owner.cookie}; platform_tenant=${owner.tenantId}`, language),
    visitor(kernel, undefined, language),
  ]
  const pages = kernel.kernel.ports.inspector.modules().flatMap(module => module.pages.map(({ path }) => path))
  const paths = [...new Set(pages)].filter(path => !/[:*]/.test(path))
  t.true(paths.length > 30, String(paths.length))
  const english = new Map<string, string>()
  const answered = new Set<string>()
  for (const path of [...paths, `/forms/${form.id}`])
    for (const reader of visitors)
      for (const { action, given, asked } of formsIn((await reader.open(path)).body, path))
        for (const value of INVALID) {
          const { text } = await reader.submit(action, {
            ...Object.fromEntries(asked.map(name => [name, value])),
            ...given,
          })
          for (const said of errorsIn(text)) {
            answered.add(path)
            if (ENGLISH.test(said.replace(QUOTED, ''))) english.set(said, path)
          }
        }
  for (const path of ['/sign-in', '/sign-up', '/account', '/workspace/members', `/forms/${form.id}`])
    t.true(answered.has(path), path)
  t.deepEqual([...english], [])
})
