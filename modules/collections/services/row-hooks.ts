/** Calls the hooks of collections, in the unit of work of the write. */
import { AsyncLocalStorage } from 'node:async_hooks'
import {
  type Deps,
  type DocumentedProblem,
  didYouMean,
  HandlerTimeout,
  once,
  Problem,
  SECOND,
} from '@larder-dev/larder/kernel'
import type { Collection, Collections } from '../domain/declarations/collection.ts'
import type { AnyRowHooks, HookContext, RowHooks } from '../domain/declarations/define-collection.ts'
import type { View } from '../domain/rights/view.ts'
import { problems } from '../problems.ts'

/** The limit of all hooks of one write together, and of the writes that they make. */
const HOOK_TIMEOUT_MS = 5 * SECOND
/** Writes of hooks of writes of hooks. */
const MAX_DEPTH = 8

type HookName = Exclude<keyof RowHooks<string>, 'problems'>
type Given<Name extends HookName> = Omit<Parameters<NonNullable<RowHooks<string>[Name]>>[0], keyof HookContext>
type Returned<Name extends HookName> = Awaited<ReturnType<NonNullable<RowHooks<string>[Name]>>>

const NAMES: readonly HookName[] = [
  'beforeCreate',
  'beforeUpdate',
  'compute',
  'validate',
  'beforeDelete',
  'beforeRestore',
  'afterCreate',
  'afterUpdate',
  'afterDelete',
  'afterRestore',
]

/** Calls hooks of one name, of all modules in the order of their start. */
export type CallHooks = <Name extends HookName>(
  collection: Collection,
  name: Name,
  given: Given<Name>,
  /** Receives what each hook returns, before the next one is called. */
  receive?: (returned: NonNullable<Returned<Name>>) => void,
) => Promise<void>

export interface HookRunner {
  /** Throws an Error for hooks of unknown collections and unknown names. */
  load(): void
  has(collection: Collection): boolean
  /** Whether any collection has hooks. */
  any(): boolean
  /** Problems that the writes of a collection throw because of its hooks. */
  problemsOf(collection: Collection): readonly (DocumentedProblem | string)[]
  /** Runs a write with hooks in one unit of work. An exception rolls everything back. */
  inUnit<T>(view: View, work: (call: CallHooks) => Promise<T>): Promise<T>
}

interface Registered {
  readonly module: string
  readonly hooks: RowHooks<string>
}
/** The write of a request, and those that its hooks make. */
interface Run {
  /** The time that the hooks may still take. What the write does between them, such as writing a row, doesn't count. */
  leftMs: number
  /** When the running hook has used up this time, in milliseconds of `performance.now()`. */
  deadline: number
  readonly depth: number
  readonly abort: AbortController
}

/** The unit of work ends without waiting for the hook. */
class HookTimeout extends HandlerTimeout {
  readonly title: Collection['title']
  constructor({ name, title }: Collection, hook: string) {
    super(`the hook ${hook} of ${name} took too long`)
    this.title = title
  }
}

type HookDeps = Deps<'registry' | 'database' | 'log'> & { readonly collectionMap: Collections }

export const createHooks = (deps: HookDeps): HookRunner => createHookRunner(deps, HOOK_TIMEOUT_MS)

export function createHookRunner({ registry, database, log, collectionMap }: HookDeps, timeoutMs: number): HookRunner {
  const runs = new AsyncLocalStorage<Run>()
  const byCollection = once(() => {
    const found = new Map<string, Registered[]>()
    for (const { key, value } of registry.collect<readonly AnyRowHooks[]>('rowHooks'))
      for (const { collection, hooks } of value) {
        assertKnown(key, collection, hooks, collectionMap)
        found.set(collection, [...(found.get(collection) ?? []), { module: key, hooks }])
      }
    return found
  })
  const of = ({ name }: Collection): readonly Registered[] => byCollection().get(name) ?? []

  /** What a hook throws: its own problem, or `hook_failed` with the cause in the log. */
  function asProblem(error: unknown, collection: Collection, { module }: Registered, hook: HookName): unknown {
    if (Problem.is(error) || error instanceof HandlerTimeout || isOfDatabase(error)) return error
    log.error({ err: error, module, collection: collection.name, hook }, 'a hook failed')
    return problems.hook_failed({ collection: collection.title })
  }

  async function callOne(
    run: Run,
    view: View,
    collection: Collection,
    registered: Registered,
    hook: HookName,
    given: object,
    receive: ((returned: never) => void) | undefined,
  ): Promise<void> {
    const { tenantId, caller } = view
    const context: HookContext = { tenantId, caller, signal: run.abort.signal }
    run.deadline = performance.now() + run.leftMs
    let timer: NodeJS.Timeout | undefined
    const late = new Promise<never>((_, reject) => {
      timer = setTimeout(
        () => {
          const error = new HookTimeout(collection, hook)
          log.error({ err: error, module: registered.module }, 'a hook took too long')
          run.abort.abort(error)
          reject(error)
        },
        Math.max(0, run.leftMs),
      )
    })
    try {
      const work = async () =>
        Reflect.apply(registered.hooks[hook] as () => unknown, registered.hooks, [{ ...context, ...given }])
      const returned = await Promise.race([work(), late])
      if (returned !== undefined && returned !== null) receive?.(returned as never)
    } catch (error) {
      throw asProblem(error, collection, registered, hook)
    } finally {
      clearTimeout(timer)
      run.leftMs = run.deadline - performance.now()
    }
  }

  return {
    load: () => void byCollection(),
    has: collection => of(collection).length > 0,
    any: () => byCollection().size > 0,
    problemsOf: collection =>
      of(collection).length > 0
        ? [
            ...of(collection).flatMap(({ hooks }) => hooks.problems ?? []),
            problems.hook_failed,
            problems.hook_timed_out,
          ]
        : [],
    async inUnit(view, work) {
      const outer = runs.getStore()
      const run = outer
        ? { ...outer, leftMs: outer.deadline - performance.now(), depth: outer.depth + 1 }
        : { leftMs: timeoutMs, deadline: 0, depth: 1, abort: new AbortController() }
      if (run.depth > MAX_DEPTH) throw new Error('hooks call each other: each one writes rows that call the next one')
      const call: CallHooks = async (collection, name, given, receive) => {
        for (const registered of of(collection)) {
          if (!registered.hooks[name]) continue
          await callOne(run, view, collection, registered, name, given, receive)
        }
      }
      try {
        return await runs.run(run, () => database.tenant(view.tenantId).transaction(() => work(call)))
      } catch (error) {
        if (outer || !(error instanceof HookTimeout)) throw error
        throw problems.hook_timed_out({ collection: error.title, seconds: timeoutMs / SECOND })
      }
    },
  }
}

/** SQLSTATE classes of statements that are wrong: invalid data, a violated constraint, invalid SQL. */
const STATEMENT_AT_FAULT = /^(22|23|42)/

/** Errors of the connection or the server, which are not the fault of a hook. */
function isOfDatabase(error: unknown): boolean {
  const code: unknown = error instanceof Error ? Reflect.get(error, 'code') : undefined
  return typeof code === 'string' && /^[0-9A-Z]{5}$/.test(code) && !STATEMENT_AT_FAULT.test(code)
}

function assertKnown(module: string, collection: string, hooks: RowHooks<string>, collections: Collections): void {
  if (!collections.has(collection)) {
    const hint = didYouMean(collection, [...collections.keys()])
    throw new Error(`rowHooks of module "${module}": unknown collection "${collection}"${hint ? `. ${hint}` : ''}`)
  }
  for (const name of Object.keys(hooks)) {
    if (name === 'problems' || NAMES.some(known => known === name)) continue
    const hint = didYouMean(name, NAMES)
    throw new Error(
      `rowHooks of module "${module}" for ${collection}: unknown hook "${name}"${hint ? `. ${hint}` : ''}`,
    )
  }
}
