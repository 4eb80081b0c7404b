/** What the steps of an automation would do with a sample. Calls no action. */
import { type Action, type BoundAction, isRecord, pickText, valueKind } from '@larder-dev/larder/kernel'
import type { ActionStep, Automation, Step } from '../../domain/definition/automation.ts'
import { MAX_ITEMS } from '../../domain/definition/automation.ts'
import type { DeclaredCondition } from '../../domain/definition/declared.ts'
import { matches } from '../../domain/values/condition.ts'
import { REDACTED, withoutTexts } from '../../domain/values/environment.ts'
import { parseExpression } from '../../domain/values/expression.ts'
import { type Offer, resolveText, valueAt } from '../../domain/values/resolve.ts'
import type { Trial, TrialStep } from '../../ports.ts'
import type { RowKinds } from '../../services/row-kinds.ts'
import { failureOf } from '../../services/runs/failures.ts'
import type { Inputs } from '../../services/runs/inputs.ts'
import { withRows } from '../../services/runs/rows.ts'
import { type Offered, withItem, withStep } from '../offered.ts'
import type { CheckedParts } from '../running-recipe.ts'
import { actionMistakes } from '../step-check.ts'
import { ANY, isMistake, type Schema, schemaAt } from '../types.ts'
import type { Given } from './given.ts'
import { sampleOf } from './sample.ts'

export interface TrialParts {
  readonly recipe: CheckedParts
  readonly rows: RowKinds
  readonly actions: ReadonlyMap<string, Action>
  readonly inputs: Inputs
  readonly product: { readonly key: string; readonly name: string; readonly publicUrl: string }
  readonly language: string
  /** Throws an Error with the mistakes in a value. */
  assertFits(schema: Schema, value: unknown): void
  /** An input without values of the environment. */
  shown(position: number, input: unknown): unknown
  /** Values of the environment in an input. */
  secretsIn(position: number, input: unknown): readonly string[]
}

/** @param types what the trigger offers. */
export async function tryOut(automation: Automation, given: Given, types: Offered, parts: TrialParts): Promise<Trial> {
  const reason = whyNot(automation, given)
  const steps: TrialStep[] = []
  let offered = types
  const outputs: Record<string, unknown> = {}
  for (const [position, step] of (reason === undefined ? automation.steps : []).entries()) {
    const { product } = parts
    const offer = { ...given.offer, product, steps: { ...outputs } }
    const tried = await tryStep(step, { position, offer, offered, given, parts })
    steps.push(tried.step)
    if (step.as !== null) {
      outputs[step.as] = step.kind === 'action' ? withRows(parts.actions.get(step.action), tried.output) : tried.output
      offered = withStep(offered, step.as, tried.schema)
    }
    if (tried.step.state === 'failed' && !(step.kind === 'action' && step.continues)) break
  }
  return { automation: automation.key, starts: reason === undefined, ...(reason !== undefined && { reason }), steps }
}

/** Why the sample doesn't start a run. */
function whyNot({ trigger, when, imports }: Automation, { offer }: Given): string | undefined {
  const payload = isRecord(offer.event) && isRecord(offer.event.payload) ? offer.event.payload : {}
  if (payload.bulk === true && !imports) return 'Imported, seeded and restored rows start it only with imports: true'
  const fields = trigger.kind === 'event' ? trigger.changed : []
  const changed = Array.isArray(payload.changed) ? payload.changed : []
  if (fields.length > 0 && !fields.some(field => changed.includes(field)))
    return `None of the fields ${fields.join(', ')} has changed`
  return unmet(when, offer)
}

function unmet(condition: DeclaredCondition, offer: Offer): string | undefined {
  const failed = Object.entries(condition).find(([path, test]) => !matches({ [path]: test }, offer))
  if (!failed) return undefined
  const [path, test] = failed
  if (path === 'or' || path === 'not') return `The condition ${path}: ${JSON.stringify(test)} doesn't match`
  return `The condition ${path}: ${JSON.stringify(test)} doesn't match: ${path} is ${JSON.stringify(valueAt(offer, path.split('.')))}`
}

interface Attempt {
  readonly position: number
  readonly offer: Offer
  readonly offered: Offered
  readonly given: Given
  readonly parts: TrialParts
}
interface Tried {
  readonly step: TrialStep
  readonly output: unknown
  readonly schema: Schema
}

async function tryStep(step: Step, attempt: Attempt): Promise<Tried> {
  const { position, offer, given, parts } = attempt
  const named = { position, name: step.as, action: step.kind === 'action' ? step.action : step.kind }
  const reason = unmet(step.when, offer)
  if (reason !== undefined) return { step: { ...named, state: 'passed', detail: reason }, output: null, schema: ANY }
  const assumed = step.as !== null && Object.hasOwn(given.steps, step.as) ? given.steps[step.as] : undefined
  try {
    if (step.kind === 'wait') {
      const until = step.until === null ? undefined : timeOf(resolveText(step.until, offer), step.until)
      const input = until === undefined ? { for: durationText(step.for ?? 0) } : { until }
      return { step: { ...named, state: 'done', input }, output: null, schema: ANY }
    }
    if (step.kind === 'ask') {
      const { role, text, choices, timeout } = step
      const question = resolveText(pickText(text, parts.language, parts.language), offer)
      const output = assumed ?? { choice: choices[0] ?? null, timedOut: false, answeredBy: null }
      const input = { role, text: question, choices, timeout: durationText(timeout) }
      return { step: { ...named, state: 'done', input, output }, output, schema: ANY }
    }
    const { input, output, schema } = await tryAction(step, attempt)
    const found = assumed ?? output
    const shown = withoutTexts(parts.shown(position, input), [])
    return { step: { ...named, state: 'done', input: shown, output: found }, output: found, schema }
  } catch (error) {
    const { detail } = failureOf(error)
    const hidden = withoutTexts(detail, parts.secretsIn(position, step.kind === 'action' ? step.input : {}))
    return { step: { ...named, state: 'failed', detail: hidden }, output: null, schema: ANY }
  }
}

const UNITS = [
  ['d', 86_400_000],
  ['h', 3_600_000],
  ['m', 60_000],
  ['s', 1000],
] as const
/** `2d`, `90m` */
function durationText(duration: number): string {
  const [unit, size] = UNITS.find(([, each]) => duration >= each && duration % each === 0) ?? ['ms', 1]
  return `${duration / size}${unit}`
}

function timeOf(value: unknown, written: string): string {
  const time = typeof value === 'string' ? Date.parse(value) : Number.NaN
  if (Number.isNaN(time)) throw new Error(`${written} is no time`)
  return new Date(time).toISOString()
}

async function tryAction(step: ActionStep, { offer, offered, given, parts }: Attempt) {
  const action = parts.actions.get(step.action)
  if (!action) throw new Error(`No module has the action ${step.action}`)
  const items = step.each === null ? undefined : itemsOf(step.each, offer)
  const types = step.each === null ? offered : withItem(offered, itemSchema(step.each, offered))
  const { input: expected, output: schema } = actionMistakes(action, step.input, types, {
    recipe: parts.recipe,
    rows: parts.rows,
    at: [],
  })
  const inputOf = async (values: Offer) => {
    const found = await parts.inputs.of(step.action, action as unknown as BoundAction, {
      written: step.input,
      offer: values,
      tenantId: '',
      collection: given.collection,
    })
    parts.assertFits(expected, found)
    return { ...found, ...withoutPeople(action, found) }
  }
  const output = withoutSecrets(action, sampleOf(schema))
  if (!items) return { input: await inputOf(offer), output, schema }
  const inputs: unknown[] = []
  for (const item of items) inputs.push(await inputOf({ ...offer, item }))
  return {
    input: inputs,
    output: items.map(() => output),
    schema: { type: 'array', items: schema } as Schema,
  }
}

function itemsOf(each: string, offer: Offer): readonly unknown[] {
  const list = resolveText(each, offer)
  if (!Array.isArray(list)) throw new Error(`${each} is no list`)
  if (list.length > MAX_ITEMS) throw new Error(`${each} has ${list.length} items, over the limit of ${MAX_ITEMS}`)
  return list
}

function itemSchema(each: string, { schema }: Offered): Schema {
  const expression = parseExpression(each)
  const found = expression.kind === 'value' ? schemaAt(schema, expression.path, each) : ANY
  return isMistake(found) ? ANY : ((found.items ?? ANY) as Schema)
}

/** People as they are addressed, because a trial looks nobody up. */
const withoutPeople = ({ input }: Action, found: Readonly<Record<string, unknown>>) =>
  Object.fromEntries(
    Object.entries(found).flatMap(([name, value]) =>
      valueKind(input.properties[name] ?? {}) === 'person' && isRecord(value) ? [[name, value.email]] : [],
    ),
  )

const withoutSecrets = ({ output }: Action, value: unknown): unknown => {
  if (!isRecord(value)) return value
  const properties = (Reflect.get(output ?? {}, 'properties') ?? {}) as Readonly<Record<string, object>>
  const isSecret = (name: string) => valueKind(properties[name] ?? {}) === 'secret'
  return Object.fromEntries(Object.entries(value).map(([name, each]) => [name, isSecret(name) ? REDACTED : each]))
}
