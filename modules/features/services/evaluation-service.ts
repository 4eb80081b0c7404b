/** Answers what flags are worth, out of memory. */
import type { Deps } from 'larder/kernel'
import { type Context, lookupIn } from '../domain/attributes.ts'
import { evaluate, type Known, type World } from '../domain/evaluate.ts'
import { isFailure, type Outcome, textOf } from '../domain/outcome.ts'
import { typeOf, type Value, type Wide } from '../domain/value.ts'
import { createAnswers, type Written, written } from './response-cache.ts'
import type { Memory, TenantFlags } from './flag-cache.ts'

/** Who asks. The server says it; a client says `context` alone. */
export interface Asker {
  readonly tenantId: string
  readonly userId?: string | undefined
  readonly roles?: readonly string[]
  readonly context?: Context | undefined
}

const NOTHING: Context = Object.freeze({})

export function createEvaluator({ entitlements }: Deps<never, 'entitlements'>, memory: Memory) {
  const answers = createAnswers()

  async function worldOf({ tenantId, userId, roles = [], context = NOTHING }: Asker) {
    const set = await memory.of(tenantId)
    const bought = await entitlements?.of(tenantId)
    const facts = { tenant: tenantId, plan: bought?.planKey, roles, userId }
    const world: World = {
      flags: set.flags,
      overrides: set.overrides,
      // Nothing is limited where nothing is sold. -1 is unlimited.
      entitled: key => bought === undefined || (bought.entitlements[key] ?? 0) !== 0,
      lookup: lookupIn(facts, context),
    }
    return { set, world }
  }

  /** Some flags, or all, as they go over the wire. */
  async function bulk(asker: Asker, keys?: readonly string[]): Promise<Written> {
    const { set, world } = await worldOf(asker)
    if (keys) return written(textOfAll(world, new Set(keys)))
    return answers.of(questionOf(set, world), () => textOfAll(world, set.flags.keys()))
  }

  const one = async (asker: Asker, key: string): Promise<Outcome> => evaluate((await worldOf(asker)).world, key)

  /** For other modules: the value, or `fallback` where there is no such flag, or one of another type. */
  async function value<T extends Value>(key: string, fallback: T, asker: Asker): Promise<Wide<T>> {
    const outcome = await one(asker, key)
    const found = !isFailure(outcome) && typeOf(outcome.value) === typeOf(fallback) ? outcome.value : fallback
    return found as Wide<T>
  }

  return { one, bulk, value }
}
export type Evaluator = ReturnType<typeof createEvaluator>

function textOfAll(world: World, keys: Iterable<string>): string {
  const known: Known = new Map()
  return `{"flags":[${Array.from(keys, key => textOf(evaluate(world, key, known))).join()}]}`
}

/** Everything that the answer hangs on: equal for two who cannot be told apart by any flag. */
function questionOf({ id, reads, entitlements }: TenantFlags, { entitled, lookup }: World): string {
  const bought = entitlements.map(key => (entitled(key) ? 1 : 0)).join('')
  return `${id} ${bought} ${JSON.stringify(reads.map(name => lookup(name) ?? null))}`
}
