import test from 'ava'
import { type Definition, type Deps, defineModule, Type } from '../../../kernel/index.ts'
import { inOrder } from '../../../kernel/recipe/index.ts'
import { type Container, createProductContainer } from '../../../kernel/runtime/container.ts'
import { type LoadedEntry, loadFactories } from '../../../kernel/runtime/factories.ts'

declare module '@larder-dev/larder/kernel' {
  interface Ports {
    sampleCounter: { next(): number }
    sampleReader: { read(): number }
  }
}

const KERNEL_PORTS = { clock: { now: () => 41 } }
const counter = defineModule({
  name: 'counter',
  needs: ['clock'],
  provides: { sampleCounter: ({ clock }) => ({ next: () => clock.now() + 1 }) },
})
const reader = defineModule({
  name: 'reader',
  needs: ['sampleCounter'],
  provides: { sampleReader: ({ sampleCounter }) => ({ read: () => sampleCounter.next() }) },
})

const entryOf = (module: Definition) => ({
  key: module.name,
  module,
  options: {},
  sections: {},
  source: 'larder',
  optional: false,
})
const createCounter = ({ clock }: Deps<'clock'>) => ({ next: () => clock.now() + 1 })

function containerOf(...modules: Definition[]): Container {
  return createProductContainer(KERNEL_PORTS, inOrder(modules.map(entryOf)) as LoadedEntry[], (_entry, factory, view) =>
    Reflect.apply(factory, undefined, [view]),
  )
}

test('a module reads the ports that another module provides', t => {
  const container = containerOf(reader, counter)
  t.is(container.port('sampleReader')?.read(), 42)
})

test('a view contains only what the module declares', t => {
  const view = containerOf(counter).view('counter')
  t.deepEqual(Object.keys(view).sort(), ['clock', 'sampleCounter'])
  t.true(Object.isFrozen(view))
})

test('an optional port that nothing provides is undefined', t => {
  const view = containerOf(defineModule({ name: 'hopeful', optional: ['sampleCounter'] })).view('hopeful')
  t.is(Reflect.get(view, 'sampleCounter'), undefined)
})

test('withdraws the ports of a module that failed', t => {
  const container = containerOf(counter, reader)
  container.withdraw('counter')
  t.is(container.port('sampleCounter'), undefined)
  t.false(container.has('sampleCounter'))
})

test('permissions, roles, events and mail templates are registrations of the scope of their module', t => {
  const emails = new URL('file:///emails/')
  const counted = Type.Object({})
  const shop = defineModule({
    name: 'shop',
    permissions: { 'shop.good.order': 'Order goods' },
    roles: { 'tenant.buyer': { name: 'Buyer', permissions: ['shop.good.order'] } },
    events: { 'shop.good.counted': counted } as object,
    emails,
  })
  const { registration } = containerOf(shop, counter)
  t.deepEqual(registration('shop', 'permissions'), [
    { key: 'shop.good.order', title: 'Order goods', scope: 'tenant', module: 'shop' },
  ])
  t.is((registration('shop', 'roles') as { key: string }[])[0]?.key, 'tenant.buyer')
  t.deepEqual(registration('shop', 'events'), { 'shop.good.counted': counted })
  t.is(registration('shop', 'emails'), emails)
  t.is(registration('counter', 'emails'), undefined)
})

test('creates an instance once, also for several readers', t => {
  let created = 0
  const once = defineModule({
    name: 'once',
    provides: {
      sampleCounter: () => {
        created++
        return { next: () => 1 }
      },
    },
  })
  const container = containerOf(once, reader)
  container.port('sampleReader')?.read()
  container.port('sampleCounter')?.next()
  t.is(created, 1)
})

test('creates a lazy port when it is first read', t => {
  const log: string[] = []
  const lazy = defineModule({
    name: 'lazy',
    provides: {
      sampleCounter: {
        lazy: true,
        create: () => {
          log.push('created')
          return { next: () => 1 }
        },
      },
    },
  })
  const container = containerOf(lazy)
  container.create('lazy')
  t.deepEqual(log, [])
  container.port('sampleCounter')
  t.deepEqual(log, ['created'])
})

test('disposes of instances in reverse order, and of no other', async t => {
  const log: string[] = []
  const first = defineModule({
    name: 'first',
    services: { store: { create: () => 'store', dispose: (store: string) => void log.push(store) } },
    provides: {
      sampleCounter: { create: ({ store }) => ({ next: () => store.length }), dispose: () => void log.push('counter') },
    },
  })
  const second = defineModule({
    name: 'second',
    needs: ['sampleCounter'],
    provides: {
      sampleReader: {
        create: ({ sampleCounter }) => ({ read: () => sampleCounter.next() }),
        dispose: () => void log.push('reader'),
      },
    },
  })
  const container = containerOf(first, second)
  container.port('sampleReader')
  container.port('sampleCounter')
  t.deepEqual(await container.dispose(), [])
  t.deepEqual(log, ['reader', 'counter', 'store'])
})

test('a private service is in no other view', t => {
  const owner = defineModule({
    name: 'owner',
    services: { secret: () => 7 },
    provides: { sampleCounter: ({ secret }) => ({ next: () => secret }) },
  })
  const container = containerOf(owner, reader)
  t.is(container.port('sampleReader')?.read(), 7)
  t.false('secret' in container.view('reader'))
})

test('a factory with `load` is imported before the container is created', async t => {
  const counting = defineModule({
    name: 'counting',
    needs: ['clock'],
    provides: { sampleCounter: { load: async () => createCounter } },
  })
  const { module } = await loadFactories(entryOf(counting))
  t.is(containerOf(module).port('sampleCounter')?.next(), 42)
})

test('a factory that cannot be imported fails when its port is created', async t => {
  const broken = defineModule({
    name: 'broken',
    needs: ['clock'],
    provides: {
      sampleCounter: { load: (): Promise<typeof createCounter> => Promise.reject(new Error('no such file')) },
    },
  })
  const { module } = await loadFactories(entryOf(broken))
  t.throws(() => containerOf(module).create('broken'), { message: /no such file/ })
})
