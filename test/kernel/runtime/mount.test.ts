import test from 'ava'
import { route } from '../../../kernel/contract/route.ts'
import { Type } from '../../../kernel/index.ts'
import { mounted } from '../../../kernel/runtime/mount.ts'
import type { Member } from '../../../kernel/runtime/registry.ts'
import { fake } from '../recipe/kit.ts'

const ask = route({
  method: 'get',
  path: '/ask',
  allow: 'public',
  replies: { 200: Type.String() },
  limits: [{ name: 'asking.ask', points: 1, window: 1000 }],
  handle: async () => 'yes',
})
const member = (limits?: readonly string[]): Member => {
  const module = fake({ name: 'asking', ...(limits && { limits }) })
  return { key: 'asking', module, routes: [ask], raw: [], sockets: [], pages: [] } as unknown as Member
}

test('a rate limit that its module does not name is refused, for no recipe could change it', t => {
  t.throws(() => mounted(member()), {
    message: "/ask has the rate limit 'asking.ask', which the module 'asking' does not name in limits",
  })
  t.is(mounted(member(['asking.ask'])).routes.length, 1)
})
