import test from 'ava'
import type { Method } from '../../bin/client/document.ts'
import { methodNames } from '../../bin/client/names.ts'

/** `GET /v1/pages list` stands for a list. */
const namesOf = (...lines: readonly string[]) => {
  const endpoints = lines.map(line => {
    const [method = '', path = '', list] = line.split(' ')
    return { method: method.toLowerCase() as Method, path, isList: list === 'list' }
  })
  return [...methodNames(endpoints).values()].map(names => names.join('.'))
}

test('names the methods of a collection', t => {
  t.deepEqual(
    namesOf(
      'GET /v1/content/pages list',
      'POST /v1/content/pages',
      'GET /v1/content/pages/{id}',
      'PATCH /v1/content/pages/{id}',
      'DELETE /v1/content/pages/{id}',
      'PUT /v1/content/menus/{key}',
    ),
    [
      'content.pages.list',
      'content.pages.create',
      'content.pages.get',
      'content.pages.update',
      'content.pages.delete',
      'content.menus.set',
    ],
  )
})

test('uses the last segment of a POST as the verb', t => {
  t.deepEqual(namesOf('POST /v1/auth/login', 'POST /v1/pages/{id}/publish', 'POST /v1/media/upload-intent'), [
    'auth.login',
    'pages.publish',
    'media.uploadIntent',
  ])
})

test('creates in collections without a list', t => {
  t.deepEqual(namesOf('POST /v1/tokens', 'DELETE /v1/tokens/{id}'), ['tokens.create', 'tokens.delete'])
})

test('qualifies paths that differ only in their parameters', t => {
  t.deepEqual(
    namesOf('POST /v1/features/evaluate', 'GET /v1/features/{key}/evaluate', 'POST /v1/features/{key}/evaluate'),
    ['features.evaluate', 'features.evaluateByKey.get', 'features.evaluateByKey.post'],
  )
})

test('gives a method and a namespace different names', t => {
  t.deepEqual(
    namesOf('POST /v1/verify-email', 'POST /v1/verify-email/send', 'POST /v1/login', 'POST /v1/login/{method}'),
    ['verifyEmail.post', 'verifyEmail.send', 'login', 'loginByMethod'],
  )
})
