/** Labels of collections in several languages reach permissions and events. */
import test from 'ava'
import { type Person, startTestKernel, type TestKernel } from '../../testing/index.ts'

const recipe = {
  locales: { default: 'en', available: ['en', 'de'] },
  modules: { identity: {}, comms: {}, collections: {}, webhooks: {}, platform: {} },
  collections: {
    courses: {
      label: { en: 'Course', de: 'Kurs' },
      fields: {
        title: { type: 'text', minLength: 3 },
        seats: { type: 'integer', min: 1, help: { en: 'Free seats', de: 'Freie Plätze' } },
        state: { type: 'text', label: { en: 'State', de: 'Stand' } },
        level: { type: 'enum', values: ['easy', 'hard'], labels: { hard: { en: 'Hard', de: 'Schwer' } } },
      },
    },
    notes: { label: 'Note', fields: { title: { type: 'text' } } },
  },
}
let kernel: TestKernel
let ada: Person
test.before(async () => {
  kernel = await startTestKernel({ recipe })
  ada = await kernel.register('ada@example.test')
})
test.after.always(() => kernel?.stop())

const read = async <T>(path: string, language: string) =>
  (await ada.get<{ data: readonly T[] }>(path, { headers: { 'accept-language': language } })).body.data

test("lists permissions of collections in the reader's language", async t => {
  const titles = async (language: string) => {
    const permissions = await read<{ key: string; title: string }>('/v1/identity/permissions?limit=100', language)
    return permissions.filter(({ key }) => /^collections\..*\.create$/.test(key)).map(({ title }) => title)
  }
  t.deepEqual(await titles('de'), ['Kurs: erstellen', 'Note: erstellen'])
  t.deepEqual(await titles('en'), ['Course: create', 'Note: create'])
})

test("the form of a role names permissions of collections in the reader's language", async t => {
  const { body } = await ada.get<string>('/workspace/roles/new', {
    headers: { accept: 'text/html', cookie: ada.cookie, 'accept-language': 'de' },
  })
  t.true(body.includes('Kurs: erstellen'))
})

test("the console gets the words for values in the reader's language", async t => {
  const resources = await read<{ id: string; states: object }>('/v1/platform/resources', 'de')
  const courses = resources.find(({ id }) => id === 'collections.courses')
  t.deepEqual(Reflect.get(courses?.states ?? {}, 'level'), {
    easy: { title: 'Easy', tone: null },
    hard: { title: 'Schwer', tone: 'neutral' },
  })
})

test("the form of a row has the help of its fields in the reader's language", async t => {
  const resources = await read<{ id: string; hints: Record<string, string> }>('/v1/platform/resources', 'de')
  t.is(resources.find(({ id }) => id === 'collections.courses')?.hints['Free seats'], 'Freie Plätze')
  const { body } = await ada.get<{ components: { schemas: Record<string, { properties: object }> } }>(
    '/v1/platform/openapi.json',
  )
  t.like(body.components.schemas.NewDataCourseRow?.properties, {
    seats: { title: 'Seats', description: 'Free seats' },
    title: { title: 'Title' },
  })
})

test('a label of a field is no hint of it, in another translation of the same word', async t => {
  const resources = await read<{ id: string; labels: object; hints: object }>('/v1/platform/resources', 'de')
  const courses = resources.find(({ id }) => id === 'collections.courses')
  t.like(courses, { labels: { state: 'Stand' } })
  t.false('State' in (courses?.hints ?? {}))
})

test("says what is wrong with a field in the reader's language", async t => {
  const row = { title: 'a', seats: 0, level: 'soft', other: 1 }
  const { body } = await ada.post<{ errors: { detail: string }[] }>('/v1/data/courses', row, {
    headers: { 'accept-language': 'de' },
  })
  t.deepEqual(body.errors.map(({ detail }) => detail).sort(), [
    'ist kein bekanntes Feld',
    'muss einer dieser Werte sein: easy, hard',
    'muss mindestens 1 sein',
    'muss mindestens 3 Zeichen lang sein',
  ])
})

test("describes event types in the reader's language", async t => {
  const described = async (language: string) => {
    const types = await read<{ type: string; description: string }>('/v1/webhooks/event-types', language)
    const names = ['collections.courses.updated', 'identity.member.joined']
    return types.filter(({ type }) => names.includes(type)).map(({ description }) => description)
  }
  t.deepEqual(await described('de'), ['Kurs: geändert', 'Eine Person ist dem Workspace beigetreten.'])
  t.deepEqual(await described('en'), ['Course: changed', 'A person joined the workspace.'])
})

test("summarizes modules in the reader's language", async t => {
  const modules = await read<{ key: string; summary: string }>('/v1/platform/modules', 'de')
  t.regex(modules.find(({ key }) => key === 'collections')?.summary ?? '', /^Die eigenen Daten des Produkts/)
})
