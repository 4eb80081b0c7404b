import test from 'ava'
import { compareInspected } from '../../../bin/recipe-diff/compare.ts'

type Inspected = Parameters<typeof compareInspected>[0]

const inspected = (allow: string): Inspected => ({
  document: {},
  applied: { modules: [], roles: {}, mails: {} },
  reports: [
    {
      permissions: [],
      sockets: [],
      pages: [],
      migrations: [],
      name: 'notes',
      routes: [{ method: 'GET', path: '/v1/notes', allow: [allow], summary: '' }],
    },
  ] as unknown as Inspected['reports'],
  comparisons: new Map(),
  value: {},
  masked: {},
})
const permissions = (before: string, after: string) => compareInspected(inspected(before), inspected(after)).permissions

test('a route that requires another permission breaks its callers', t => {
  const subject = 'access to GET /v1/notes'
  t.deepEqual(permissions('notes.read', 'notes.manage'), [
    { change: 'change', subject, detail: 'notes.read → notes.manage', breaks: 'callers need notes.manage' },
  ])
})

test('a route that becomes public breaks nobody', t => {
  t.deepEqual(permissions('notes.read', 'public'), [
    { change: 'change', subject: 'access to GET /v1/notes', detail: 'notes.read → public' },
  ])
})
