/**
 * The registry of instances: one awilix scope per service or module, which holds the ports it provides, its private
 * services and its registrations. Definitions read a frozen view of what they declare, never the container.
 */
import { createRequire } from 'node:module'
import type { AwilixContainer } from 'awilix'
import type { BoundAction, PortName, Ports } from '../contract/index.ts'
import { permissionsOf, rolesOf } from '../recipe/index.ts'
import { factoryOf, type LoadedEntry } from './factories.ts'

type Scope = AwilixContainer<Record<string, unknown>>

const require = createRequire(import.meta.url)

export interface Container {
  /** What the definition may read: its needs, optional and provided ports, and its private services. */
  view(key: string): object
  /** Calls a hook or a registration of the definition. */
  call<T>(key: string, hook: ((...given: never[]) => T) | undefined): T | undefined
  /** A registration, created once. Undefined where the definition has none of this kind. */
  registration(key: string, kind: string): unknown
  /** Creates every port that the definition provides, so that a factory that throws is reported under its name. */
  create(key: string): void
  /** The port, or undefined where nothing provides it. */
  port<P extends PortName>(name: P): Ports[P] | undefined
  /** Returns true if something provides the port. Creates nothing. */
  has(port: string): boolean
  /** Withdraws the ports of a definition that failed. */
  withdraw(key: string): void
  /** Disposes of every instance, the last created first. Returns what failed. */
  dispose(): Promise<readonly unknown[]>
}

type Invoke = (entry: LoadedEntry, factory: (...given: never[]) => unknown, view: object) => unknown

const KINDS = ['routes', 'rawRoutes', 'sockets', 'pages', 'site', 'listeners', 'jobs', 'checks']

/** Declarations, which are registered as they are: nothing has to be created to know them. */
const DECLARED: Readonly<Record<string, (module: LoadedEntry['module']) => unknown>> = {
  permissions: permissionsOf,
  roles: rolesOf,
  grants: ({ grants }) => grants,
  events: ({ events }) => events,
  emails: ({ emails }) => emails,
}

/** @param kernelPorts values that the kernel itself provides. @param entries in dependency order, after `loadFactories`. */
export function createProductContainer(
  kernelPorts: Readonly<Record<string, unknown>>,
  entries: readonly LoadedEntry[],
  invoke: Invoke,
): Container {
  // Loaded here, because commands that only read a recipe need no container.
  const { asFunction, asValue, createContainer } = require('awilix') as typeof import('awilix')
  const root: Scope = createContainer({ strict: true })
  const scopes = new Map<string, Scope>()
  const owners = new Map<string, string>()
  const views = new Map<string, object>()
  for (const [port, value] of Object.entries(kernelPorts)) root.register(port, asValue(value))

  const resolvePort = (port: string): unknown => {
    if (port in kernelPorts) return root.resolve(port)
    const owner = owners.get(port)
    return owner === undefined ? undefined : scopes.get(owner)?.resolve(`${owner}.${port}`)
  }

  for (const entry of entries) {
    const { key, module } = entry
    const scope: Scope = root.createScope()
    const own = { ...module.services, ...module.provides }
    // Keys carry their owner: awilix finds cycles by name, on a stack that all scopes share.
    const name = (local: string) => `${key}.${local}`
    const getters: Record<string, () => unknown> = {}
    for (const port of [...(module.needs ?? []), ...(module.optional ?? [])]) getters[port] = () => resolvePort(port)
    for (const local of Object.keys(own)) getters[local] = () => scope.resolve(name(local))
    const view = frozenView(getters)
    for (const [local, provider] of Object.entries(own)) {
      const dispose = typeof provider === 'function' ? undefined : provider.dispose
      const resolver = asFunction(() => invoke(entry, factoryOf(provider), view)).scoped()
      scope.register(name(local), dispose ? resolver.disposer(instance => dispose(instance as never)) : resolver)
    }
    for (const kind of registrationKinds(module)) {
      const registered = Reflect.get(module, kind)
      scope.register(name(`#${kind}`), asFunction(() => invoke(entry, registered, view)).scoped())
    }
    if (module.actions) scope.register(name('#actions'), asFunction(() => boundActions(module, view)).scoped())
    for (const [kind, declared] of Object.entries(DECLARED)) {
      const value = declared(module)
      if (value !== undefined) scope.register(name(`#${kind}`), asValue(value))
    }
    for (const port of Object.keys(module.provides ?? {})) owners.set(port, key)
    scopes.set(key, scope)
    views.set(key, view)
  }

  const find = (key: string) => entries.find(entry => entry.key === key) as LoadedEntry
  return {
    view: key => views.get(key) as object,
    call: (key, hook) => (hook && invoke(find(key), hook, views.get(key) as object)) as never,
    registration(key, kind) {
      const scope = scopes.get(key) as Scope
      return scope.hasRegistration(`${key}.#${kind}`) ? scope.resolve(`${key}.#${kind}`) : undefined
    },
    create(key) {
      for (const [port, provider] of Object.entries(find(key).module.provides ?? {}))
        if (typeof provider === 'function' || !provider.lazy) scopes.get(key)?.resolve(`${key}.${port}`)
    },
    port: port => resolvePort(port) as never,
    has: port => port in kernelPorts || owners.has(port),
    withdraw(key) {
      for (const port of Object.keys(find(key).module.provides ?? {})) owners.delete(port)
    },
    async dispose() {
      const failures: unknown[] = []
      for (const { key } of [...entries].reverse())
        await disposeScope(scopes.get(key) as Scope).catch(error => failures.push(error))
      return failures
    },
  }
}

/** The shipped kinds, and functions under names that services added to `Registrations`. */
const registrationKinds = (module: LoadedEntry['module']): string[] =>
  [...KINDS, ...Object.keys(module).filter(key => !SPEC_FIELDS.has(key))].filter(
    kind => typeof Reflect.get(module, kind) === 'function',
  )
const SPEC_FIELDS = new Set([
  'validate',
  'init',
  'reconcile',
  'plan',
  'verify',
  'start',
  'serve',
  'work',
  'drain',
  'stop',
  ...KINDS,
])

/** The actions of a definition, which receive its ports when they run. */
const boundActions = ({ actions = {} }: LoadedEntry['module'], view: object): Readonly<Record<string, BoundAction>> =>
  Object.fromEntries(
    Object.entries(actions).map(([name, action]) => [
      name,
      { ...action, run: (input, context) => action.run(view as never, input as never, context) },
    ]),
  )

/** Disposes of instances one by one, the last created first; `scope.dispose()` alone runs all disposers at once. */
async function disposeScope(scope: Scope): Promise<void> {
  for (const [key, entry] of [...scope.cache].reverse()) {
    scope.cache.clear()
    scope.cache.set(key, entry)
    await scope.dispose()
  }
}

function frozenView(getters: Readonly<Record<string, () => unknown>>): object {
  const properties = Object.entries(getters).map(([name, get]) => [name, { get, enumerable: true }])
  return Object.freeze(Object.defineProperties({}, Object.fromEntries(properties)))
}
