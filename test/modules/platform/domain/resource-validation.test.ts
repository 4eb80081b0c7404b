import test from 'ava'
import { listOf, listQuery, route, Type } from '../../../../kernel/index.ts'
import { type Endpoint, operationsOf } from '../../../../modules/platform/domain/operations.ts'
import { withAdditions } from '../../../../modules/platform/domain/resource-additions.ts'
import {
  additionProblems,
  type RegisteredResource,
  resourceProblems,
} from '../../../../modules/platform/domain/resource-validation.ts'
import type { Resource } from '../../../../modules/platform/ports.ts'

const Note = Type.Object({ id: Type.String(), title: Type.String(), author: Type.Object({ name: Type.String() }) })
const handle = async () => undefined
const routes = [
  route({
    method: 'get',
    path: '/notes',
    operationId: 'listNotes',
    allow: 'user',
    query: listQuery({ 'filter[title]': Type.Optional(Type.String()), q: Type.Optional(Type.String()) }),
    replies: { 200: listOf(Note) },
    handle,
  }),
  route({ method: 'get', path: '/notes/:id', operationId: 'getNote', allow: 'user', replies: { 200: Note }, handle }),
  route({
    method: 'post',
    path: '/notes',
    operationId: 'createNote',
    allow: 'user',
    body: Type.Object({ title: Type.String() }),
    replies: { 201: Note },
    handle,
  }),
  route({
    method: 'get',
    path: '/notes/:id/comments',
    operationId: 'listComments',
    allow: 'user',
    replies: { 200: listOf(Type.Object({ id: Type.String(), text: Type.String() })) },
    handle,
  }),
  route({
    method: 'delete',
    path: '/notes/:id/replies/:replyId',
    operationId: 'deleteReply',
    allow: 'user',
    replies: { 204: null },
    handle,
  }),
]
const endpoints = routes.map(
  (spec): Endpoint => ({
    kind: 'route',
    module: 'notes',
    method: spec.method.toUpperCase(),
    path: `/v1${spec.path}`,
    allow: ['user'],
    apiKeys: true,
    route: spec,
  }),
)
const operations = operationsOf(endpoints)

const notes: Resource = {
  name: 'notes',
  title: 'Notes',
  singular: 'Note',
  label: 'title',
  operations: { list: 'listNotes', get: 'getNote', create: 'createNote' },
  columns: ['title', 'author.name'],
  filters: ['filter[title]'],
  search: 'q',
  fields: ['title'],
}
const comments: Resource = {
  name: 'comments',
  title: 'Comments',
  singular: 'Comment',
  label: 'text',
  operations: { list: 'listComments' },
  columns: ['text'],
  within: 'notes.notes',
}
const registered = (...resources: Resource[]): RegisteredResource[] =>
  resources.map(resource => ({ id: `notes.${resource.name}`, module: 'notes', resource }))
const problemsOf = (...resources: Resource[]) => resourceProblems(registered(...resources), operations, ['notes'])

test('accepts a resource whose operations, columns, filters and fields exist', t => {
  t.deepEqual(
    problemsOf({ ...notes, relations: [{ resource: 'notes.comments', parameters: { id: 'id' } }] }, comments),
    [],
  )
})

test('names the module, the resource and an unknown operation', t => {
  t.deepEqual(problemsOf({ ...notes, operations: { list: 'listNote' } }), [
    `Resource 'notes' of module 'notes': No route has the operationId 'listNote' (list). Did you mean "listNotes"?`,
    `Resource 'notes' of module 'notes': No body of its operations has the property 'title' (fields).`,
  ])
})

const mistakes: readonly [title: string, resource: Resource, problem: RegExp][] = [
  ['a column that rows do not have', { ...notes, columns: ['titel'] }, /no property 'titel' \(columns\).*"title"/],
  ['a nested column that rows do not have', { ...notes, columns: ['author.email'] }, /no property 'author\.email'/],
  ['a label that rows do not have', { ...notes, label: 'name' }, /no property 'name' \(label\)/],
  ['a key that rows do not have', { ...notes, key: 'slug' }, /no property 'slug' \(key\)/],
  ['a filter that is no parameter', { ...notes, filters: ['filter[author]'] }, /no query parameter 'filter\[author\]'/],
  ['a search that is no parameter', { ...notes, search: 'search' }, /no query parameter 'search'/],
  ['a sort that is no parameter', { ...notes, sort: 'sort' }, /no query parameter 'sort'/],
  ['a field that bodies do not have', { ...notes, fields: ['text'] }, /No body .* 'text'/],
  ['an unknown action', { ...notes, actions: [{ operation: 'archive', title: 'Archive' }] }, /'archive' \(action\)/],
  [
    'an action whose body lacks what the record gives it',
    { ...notes, actions: [{ operation: 'createNote', title: 'Copy', body: { titel: 'title' } }] },
    /The body of 'createNote' has no property 'titel' \(body\).*"title"/,
  ],
  [
    'an action that takes what records do not have',
    { ...notes, actions: [{ operation: 'createNote', title: 'Copy', body: { title: 'name' } }] },
    /The rows of 'listNotes' have no property 'name' \(body\)/,
  ],
  [
    'an action on a record without its key in the path',
    { ...notes, actions: [{ operation: 'createNote', title: 'Copy' }] },
    /The path of 'createNote' has no parameter/,
  ],
  [
    'a relation to nothing',
    { ...notes, relations: [{ resource: 'notes.tags', parameters: {} }] },
    /'notes\.tags' \(relations\)/,
  ],
  ['an operation that is no list', { ...notes, operations: { list: 'getNote' } }, /'getNote' doesn't return a list/],
  ['a list with path parameters and no parent', { ...comments, within: undefined as never }, /'within' must name/],
  ['an invalid name', { ...notes, name: 'My notes' }, /The name must match/],
  [
    'a creation whose path has a parameter that the list lacks',
    { ...notes, operations: { list: 'listNotes', create: 'getNote' } },
    /The path of 'getNote' has parameters that 'listNotes' doesn't have/,
  ],
  [
    'an action on a record whose path has another parameter',
    { ...notes, actions: [{ operation: 'deleteReply', title: 'Delete' }] },
    /The path of 'deleteReply' has parameters other than the record's key/,
  ],
  ['a parent that does not exist', { ...comments, within: 'notes.pages' }, /'notes\.pages' \(within\)/],
  [
    'a relation with a parameter that its list lacks',
    { ...notes, relations: [{ resource: 'notes.notes', parameters: { 'filter[author]': 'id' } }] },
    /The list of 'notes\.notes' has no parameter 'filter\[author\]'/,
  ],
  [
    'a relation from a property that rows do not have',
    { ...notes, relations: [{ resource: 'notes.notes', parameters: { q: 'text' } }] },
    /The rows of 'listNotes' have no property 'text' \(relations\)/,
  ],
]
for (const [title, resource, problem] of mistakes)
  test(`rejects ${title}`, t => {
    t.true(
      problemsOf(resource).some(found => problem.test(found)),
      problemsOf(resource).join('\n'),
    )
  })

test('rejects a relation without the path parameters of its list', t => {
  const [problem] = problemsOf({ ...notes, relations: [{ resource: 'notes.comments', parameters: {} }] }, comments)
  t.regex(problem ?? '', /needs the parameter 'id'/)
})

test('rejects two resources of one name', t => {
  t.deepEqual(problemsOf(notes, notes), [
    "Resource 'notes' of module 'notes': The module has two resources with this name.",
  ])
})

test('accepts a relation to a module that the product does not have', t => {
  t.deepEqual(problemsOf({ ...notes, relations: [{ resource: 'media.items', parameters: {} }] }), [])
})

test('accepts an action without the key in its path, whose body has it', t => {
  t.deepEqual(
    problemsOf({ ...notes, actions: [{ operation: 'createNote', title: 'Copy', body: { title: 'title' } }] }),
    [],
  )
})

test('adds actions and relations of other modules to a resource, and names an unknown one', t => {
  const copy = { operation: 'createNote', title: 'Copy', body: { title: 'title' } }
  const additions = [
    { module: 'copies', addition: { to: 'notes.notes', actions: [copy] } },
    { module: 'copies', addition: { to: 'notes.note' } },
    { module: 'copies', addition: { to: 'absent.things' } },
  ]
  const [first] = withAdditions(registered(notes), additions)
  t.deepEqual(first?.resource.actions, [copy])
  const [problem, ...others] = additionProblems(additions, registered(notes), ['notes'])
  t.regex(problem ?? '', /Additions of module 'copies': No module has the resource 'notes\.note' \(to\).*notes\.notes/)
  t.deepEqual(others, [])
})
