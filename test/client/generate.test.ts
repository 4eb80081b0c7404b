import { readFileSync, writeFileSync } from 'node:fs'
import { fileURLToPath } from 'node:url'
import test from 'ava'
import { generateClient, generateTypes } from '../../bin/client/generate.ts'
import { packageRoot } from '../../kernel/base/package-root.ts'
import { coursesDocument } from './courses-document.ts'
import { clientSource, typesSource } from './fixtures.ts'

const GOLDEN = fileURLToPath(new URL('test/client/courses-client.ts.txt', packageRoot))
/** The runtime follows the generated part and has its own tests. */
const generatedPart = (text: string): string => text.slice(0, text.indexOf('/** A problem document (RFC 9457)'))

const access = { permissions: ['courses.course.read', 'courses.course.create'], roles: ['tenant.teacher'] }
const topic = {
  name: 'courses.changes',
  summary: 'Changed courses.',
  params: { type: 'object', properties: { level: { type: 'string' } } },
  message: { $ref: '#/components/schemas/Course' },
}
const input = { ...access, document: coursesDocument, topics: [topic], helpers: [] }

/** `UPDATE_GOLDEN=1` writes the file instead. */
test('generates the client of a product with collections', t => {
  const text = generatedPart(generateClient(input))
  if (process.env.UPDATE_GOLDEN) writeFileSync(GOLDEN, text)
  t.is(text, readFileSync(GOLDEN, 'utf8'))
})

test('leaves out the runtime of parts that the product does not have', t => {
  const { paths = {} } = coursesDocument
  const session = Object.entries(paths).filter(([path]) => path.startsWith('/v1/sessions'))
  const text = generateClient({
    ...input,
    topics: [],
    document: { ...coursesDocument, paths: Object.fromEntries(session) },
  })
  t.false(/createRealtime|collectionClient/.test(text))
  t.true(generateClient(input).includes('createRealtime'))
})

test('generates the types of events, permissions and schemas', t => {
  const events = {
    'courses.course.published': { type: 'object', required: ['id'], properties: { id: { type: 'string' } } },
  }
  const text = generateTypes({ ...access, document: coursesDocument, events })
  t.regex(text, /export interface Events \{\n {2}'courses\.course\.published': \{\n {4}id: string/)
  t.regex(text, /export type Permission =\n {2}\| 'courses\.course\.create'\n {2}\| 'courses\.course\.read'/)
  t.regex(text, /export type Course = \{/)
  t.false(text.includes('function'))
})

test('generates the types of operations by path', t => {
  const text = generateTypes({ ...access, document: coursesDocument, events: {} })
  const paths = text.slice(text.indexOf('export interface Paths'))
  t.regex(paths, /\n {2}'\/v1\/data\/courses\/\{id\}': \{\n {4}delete: \{\n {6}response: undefined\n/)
  t.regex(paths, /post: \{\n {6}body: CreateCourse\n {6}response: Course\n/)
  t.regex(paths, /get: \{\n {6}query\?: \{\n {8}cursor\?: string \| undefined\n {6}\}\n {6}response: CourseList\n/)
})

test('types a filter as a value or as operators', async t => {
  const text = await clientSource({
    modules: { identity: {}, collections: {} },
    collections: { courses: { fields: { level: { type: 'enum', values: ['a', 'b'] }, price: { type: 'integer' } } } },
  })
  const end = text.indexOf("method: 'POST', path: '/v1/data/courses/exports'")
  const exported = text.slice(text.lastIndexOf('create: (', end), end)
  t.regex(exported, /level\?: 'a' \| 'b' \| undefined \| \{/)
  t.regex(exported, /price\?: number \| undefined \| \{/)
  t.regex(exported, /in\?: readonly \('a' \| 'b'\)\[\] \| undefined/)
})

test('is the same for the same recipe, whatever the order of its keys', async t => {
  const modules = { identity: {}, features: {} }
  const first = await clientSource({ modules, features: { a: { default: 'x' }, b: { default: true } } })
  const second = await clientSource({ features: { b: { default: true }, a: { default: 'x' } }, modules })
  t.is(first, second)
  t.regex(first, /export type Flags = \{\n {2}a: string\n {2}b: boolean\n\}/)
})

test('names the events of all modules of a recipe', async t => {
  const text = await typesSource({ modules: { identity: {}, features: {}, webhooks: {} } })
  // The payload has the name that it has in webhooks.
  t.regex(text, /'features\.feature\.created': \w+EventData$/m)
  t.regex(text, /'identity\.user\.created': /)
})
