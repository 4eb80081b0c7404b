import test from 'ava'
import { route } from '../../../kernel/contract/route.ts'
import type { RunningModule } from '../../../kernel/index.ts'
import { Type } from '../../../kernel/index.ts'
import { mounted } from '../../../services/http/mounted-module.ts'
import { fake } from '../../kernel/recipe/fixtures.ts'

const ask = route({
  method: 'get',
  path: '/ask',
  allow: 'public',
  replies: { 200: Type.String() },
  limits: [{ name: 'asking.ask', points: 1, window: 1000 }],
  handle: async () => 'yes',
})
const member = (limits?: readonly string[]): RunningModule => {
  const module = fake({ name: 'asking', ...(limits && { limits }) })
  return { key: 'asking', module, routes: [ask], rawRoutes: [], sockets: [], pages: [] } as unknown as RunningModule
}

test("rejects rate limits that the module doesn't list", t => {
  t.throws(() => mounted(member()), {
    message: "/ask has the rate limit 'asking.ask', which the module 'asking' doesn't list in limits",
  })
  t.is(mounted(member(['asking.ask'])).routes.length, 1)
})
