/** Values of the environment in inputs of steps: stored as references, and never shown. Pure. */
import { isDeepStrictEqual } from 'node:util'
import { isRecord } from '@larder-dev/larder/kernel'
import type { Automation } from '../definition/automation.ts'

type Path = readonly (string | number)[]

/** Stands for a value that the recipe takes from the environment, at this place of the recipe. */
interface Reference {
  readonly $environment: Path
}
const isReference = (value: unknown): value is Reference => isRecord(value) && Array.isArray(value.$environment)
export const REDACTED = '[redacted]'

function mapValues(value: unknown, path: Path, map: (leaf: unknown, path: Path) => unknown): unknown {
  const mapped = map(value, path)
  if (mapped !== undefined) return mapped
  if (Array.isArray(value)) return value.map((item, index) => mapValues(item, [...path, index], map))
  if (!isRecord(value)) return value
  return Object.fromEntries(Object.entries(value).map(([key, inner]) => [key, mapValues(inner, [...path, key], map)]))
}

/** Maps what an automation's author may take from the environment, by its place in the recipe. */
function mapInputs(automation: Automation, map: (leaf: unknown, path: Path) => unknown): Automation {
  const { key, trigger, when } = automation
  const own = <T>(value: T, ...path: Path): T => mapValues(value, ['automations', key, ...path], map) as T
  const { kind, ...written } = trigger
  return {
    ...automation,
    trigger: kind === 'hook' || kind === 'button' ? ({ kind, ...own(written, kind) } as typeof trigger) : trigger,
    when: own(when, 'when'),
    steps: automation.steps.map((step, index) => {
      const at = <T>(value: T, ...path: Path): T => own(value, 'steps', index, ...path)
      const common = { when: at(step.when, 'when') }
      if (step.kind === 'wait') return { ...step, ...common, until: at(step.until, 'wait', 'until') }
      if (step.kind === 'action') return { ...step, ...common, input: at(step.input, step.action) }
      const { role, text, choices } = step
      return { ...step, ...common, ...at({ role, text, choices }, 'ask') }
    }),
  }
}

/** The definition as it is stored. */
export const withReferences = (automation: Automation, isFromEnvironment: (path: Path) => boolean): Automation =>
  mapInputs(automation, (_value, path) => (isFromEnvironment(path) ? { $environment: path } : undefined))

/** The stored definition with the values that its references have in the running recipe; those that are gone stay. */
export const withValues = (automation: Automation, valueAt: (path: Path) => unknown): Automation =>
  mapInputs(automation, value => (isReference(value) ? (valueAt(value.$environment) ?? value) : undefined))

/** Number of names before the input of an action, in the path of a reference: `automations`, key, `steps`, index, action. */
const INPUT_AT = 5

/**
 * The place that a path of a stored definition has in the running one; undefined if the step is gone, or says something
 * else. A value must not reach another system because the steps have another order.
 */
export function placeNow(path: Path, stored: Automation, running: Automation): Path | undefined {
  const index = Number(path[3])
  const step = stored.steps[index]
  if (path[2] !== 'steps' || step?.kind !== 'action' || path.length <= INPUT_AT) return path
  const isSame = (at: number): boolean => {
    const other = running.steps[at]
    return (
      other?.kind === 'action' &&
      other.action === step.action &&
      isDeepStrictEqual(written(other.input), written(step.input))
    )
  }
  const now = isSame(index) ? index : running.steps.findIndex((_, at) => isSame(at))
  return now === -1 ? undefined : [...path.slice(0, 3), now, ...path.slice(4)]
}

/** An input without the places of its references. */
const written = (input: unknown): unknown => mapValues(input, [], value => (isReference(value) ? null : undefined))

/** The texts of an input that come from the environment, with what surrounds them. @param stored as in `redacted`. */
export function secretTexts(input: unknown, stored: unknown): readonly string[] {
  if (isReference(stored)) return textsIn(input)
  if (Array.isArray(input))
    return input.flatMap((item, index) => secretTexts(item, Array.isArray(stored) ? stored[index] : undefined))
  if (!isRecord(input)) return []
  return Object.entries(input).flatMap(([key, value]) => secretTexts(value, isRecord(stored) ? stored[key] : undefined))
}

/** Every text in a JSON value. */
export function textsIn(value: unknown): readonly string[] {
  if (typeof value === 'string') return [value]
  return typeof value === 'object' && value !== null ? Object.values(value).flatMap(textsIn) : []
}

/** Shorter texts stand for themselves too often. */
const MIN_SECRET = 6

/** A JSON value without these texts. */
export function withoutTexts<T>(value: T, secrets: readonly string[]): T {
  const hidden = secrets.filter(({ length }) => length >= MIN_SECRET)
  if (hidden.length === 0) return value
  const hide = (text: string) => hidden.reduce((shown, secret) => shown.replaceAll(secret, REDACTED), text)
  return mapValues(value, [], leaf => (typeof leaf === 'string' ? hide(leaf) : undefined)) as T
}

/** The input of a step as runs show it. @param stored the same input of the stored definition. */
export function redacted(input: unknown, stored: unknown): unknown {
  if (isReference(stored)) return REDACTED
  if (Array.isArray(input))
    return input.map((item, index) => redacted(item, Array.isArray(stored) ? stored[index] : undefined))
  if (!isRecord(input)) return input
  return Object.fromEntries(
    Object.entries(input).map(([key, value]) => [key, redacted(value, isRecord(stored) ? stored[key] : undefined)]),
  )
}
