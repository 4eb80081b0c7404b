/** Endpoints that anyone may call run in a context in which the database refuses units of suspended tenants. */
import { once } from 'node:events'
import anyTest, { type TestFn } from 'ava'
import express from 'express'
import { Type } from 'typebox'
import { WebSocket } from 'ws'
import { currentContext } from '../../../../kernel/base/context.ts'
import { page, rawRoute, route, socket } from '../../../../kernel/contract/route.ts'
import { ada, startTestServer, type TestServer, useTestServer } from '../fixtures.ts'

const test = anyTest as TestFn<{ server: TestServer }>
const refuses = () => currentContext().refusesSuspended ?? false
const html = { accept: 'text/html' }
const answer = { replies: { 200: Type.Boolean() }, handle: async () => refuses() }

useTestServer(test, () =>
  startTestServer({
    routes: [
      route({ method: 'get', path: '/open', allow: ['notes.note.read', 'public'], ...answer }),
      route({ method: 'get', path: '/closed', allow: ['notes.note.read', 'user'], ...answer }),
    ],
    rawRoutes: [
      rawRoute({
        method: 'get',
        path: '/raw',
        allow: 'public',
        docs: { replies: { 200: null } },
        handle: async (_, response) => void response.json(refuses()),
      }),
    ],
    pages: [
      {
        page: page({
          name: 'notes.page',
          path: '/page',
          title: 'Page',
          allow: 'public',
          load: async () => ({ data: { refuses: refuses() } }),
        }),
      },
    ],
    site: {
      find: async ({ path }) =>
        path === '/site' ? { name: 'notes.site', title: 'Site', data: { refuses: refuses() } } : null,
    },
    express: express().get('/app', (_, response) => void response.json(refuses())),
    sockets: [
      socket({
        path: '/socket',
        allow: 'public',
        maxBuffer: 1000,
        maxFrame: 1000,
        open: peer => ({ message: () => void peer.send(String(refuses())), closed: () => {} }),
      }),
    ],
  }),
)

for (const path of ['/v1/open', '/raw', '/page', '/site', '/x/notes/app'])
  test(`refuses suspended tenants: ${path}`, async t => {
    const { status, text } = await t.context.server.get(path, { ...ada, ...html })
    t.is(status, 200)
    t.regex(text, /true/)
  })

test('refuses suspended tenants: frames of a socket', async t => {
  const client = new WebSocket(`ws://127.0.0.1:${t.context.server.port}/v1/socket`)
  await once(client, 'open')
  client.send('any')
  const [data] = await once(client, 'message')
  t.is(String(data), 'true')
  client.close()
})

test('an endpoint that needs a caller may serve a suspended tenant, for operators', async t => {
  t.is((await t.context.server.get('/v1/closed', ada)).text, 'false')
})
