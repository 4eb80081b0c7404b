/** Forms of pages create rows with states, numbers and defaults. */
import { mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import test from 'ava'
import type { Person } from '../../../../testing/index.ts'
import type { Listed } from '../../../fixtures/people.ts'
import { withPeople } from '../../../fixtures/with-people.ts'

const members = () => ({ 'tenant.member': true })
const recipe = {
  theme: { use: './theme' },
  modules: { identity: {}, comms: {}, content: { templates: ['report'] }, collections: {} },
  collections: {
    tickets: {
      fields: {
        number: { type: 'text', sequence: 'T-{0000}' },
        title: { type: 'text', required: true },
        status: {
          type: 'enum',
          values: ['open', 'urgent', 'solved'],
          default: 'open',
          initial: ['urgent'],
          transitions: { open: ['solved'], urgent: ['solved'] },
        },
        on: { type: 'date', required: true, default: '$today' },
        owner: { type: 'member', required: true, default: '$member' },
        due: { type: 'date', default: { expression: 'on + 14' } },
      },
      access: { read: members(), create: members() },
    },
  },
  pages: { report: { path: '/report', title: 'Report', template: 'report' } },
}
const REPORT = `---
forms:
  report: { create: tickets, fields: [title, status, on] }
---
{{> row-form form=forms.report button='Send'}}
`

let folder: string
const { kernel } = withPeople(test, async () => {
  folder = await mkdtemp(join(tmpdir(), 'larder-forms-'))
  await mkdir(join(folder, 'theme/pages'), { recursive: true })
  await writeFile(join(folder, 'theme/theme.yaml'), 'name: Harbor\nextends: default\n')
  await writeFile(join(folder, 'theme/pages/content.report.hbs'), REPORT)
  return { recipe, folder, role: 'web' }
})
test.after.always(() => rm(folder, { recursive: true, force: true }))

interface Ticket {
  readonly number: string
  readonly status: string
  readonly on: string
  readonly due: string
  readonly owner: string | null
}
async function openForm({ cookie }: Pick<Person, 'cookie'>) {
  const headers = { accept: 'text/html', cookie }
  const { body } = await kernel.get<string>('/report', { headers })
  const token = /name="_token" value="([^"]+)"/.exec(body)?.[1] ?? ''
  const send = (fields: Record<string, string>) =>
    kernel.post<string>('/report', new URLSearchParams({ _form: 'report', _token: token, ...fields }).toString(), {
      headers: { ...headers, 'content-type': 'application/x-www-form-urlencoded', origin: kernel.url },
    })
  return { body, send }
}
const inputOf = (html: string, name: string) =>
  new RegExp(`<(?:input|select)[^>]*name="${name}"[^>]*>`, 's').exec(html)?.[0]

test('a form offers the first states, and requires no value that has a default', async t => {
  const person = await kernel.register('form-defaults-1@example.test')
  const { body } = await openForm(person)
  t.deepEqual(
    [...body.matchAll(/<option value="(\w+)"/g)].map(([, value]) => value),
    ['open', 'urgent'],
  )
  t.regex(inputOf(body, 'title') ?? '', /required/)
  t.notRegex(inputOf(body, 'on') ?? 'required', /required/)
})

test('a row of a form gets its number, its state and its defaults', async t => {
  const person = await kernel.register('form-defaults-2@example.test')
  const { send } = await openForm(person)
  t.is((await send({ title: 'A', status: 'urgent', on: '' })).status, 303)
  t.is((await send({ title: 'B', status: 'open', on: '2024-02-29' })).status, 303)
  const { data } = (await person.get<Listed<Ticket>>('/v1/data/tickets?sort=number')).body
  t.like(data[0], { number: 'T-0001', status: 'urgent', on: new Date().toISOString().slice(0, 10) })
  t.truthy(data[0]?.owner)
  t.like(data[1], { number: 'T-0002', status: 'open', on: '2024-02-29', due: '2024-03-14' })
})

test('a form refuses a state that a new row cannot have', async t => {
  const person = await kernel.register('form-defaults-3@example.test')
  const { send } = await openForm(person)
  const { status, body } = await send({ title: 'A', status: 'solved', on: '' })
  t.is(status, 422)
  t.regex(body, /must be one of open, urgent in a new row/)
})
