/** What a run shows to somebody who may not read every field of its row. Pure. */
import { isRecord } from '@larder-dev/larder/kernel'
import type { Automation, Step } from '../definition/automation.ts'
import { testedPaths } from './condition.ts'
import { type Path, parseExpression, pathsIn } from './expression.ts'

/** Names of fields of the row that the reader may not read. */
export type HiddenFields = ReadonlySet<string>
/** Stands in the place of a value that the reader may not see. */
export const HIDDEN = '[hidden]'

/** Who sees a run. Those who are no operators see what the right to its row gives them. */
export interface Reader {
  readonly hidden: HiddenFields
  /** Whether the reader sees what steps returned, and what people wrote. */
  readonly isOperator: boolean
}

/** What of a value is hidden: a row is shown without some of its fields. */
type Extent = 'none' | 'part' | 'all'

interface Shown {
  readonly value: unknown
  /** Whether something is hidden. */
  readonly isCut: boolean
}
interface StepValues {
  readonly input: unknown
  readonly output: unknown
  readonly error: { readonly code: string; readonly detail: string } | null
}

/** The value without the hidden fields of rows in it. */
export function withoutFields(value: unknown, hidden: HiddenFields): unknown {
  if (Array.isArray(value)) return value.map(each => withoutFields(each, hidden))
  if (!isRecord(value)) return value
  return Object.fromEntries(
    Object.entries(value).flatMap(([name, inner]) =>
      hidden.has(name) ? [] : [[name, withoutFields(inner, hidden)] as const],
    ),
  )
}

/**
 * What the trigger offered. What a person wrote into a form isn't a field of the row, even under the same name: the right
 * to read the row doesn't include it.
 */
export function shownTrigger(
  { input, ...offered }: Readonly<Record<string, unknown>>,
  { hidden, isOperator }: Reader,
): Readonly<Record<string, unknown>> {
  const shown = isOperator ? input : HIDDEN
  return { ...(withoutFields(offered, hidden) as object), ...(input !== undefined && { input: shown }) }
}

/**
 * Shows the steps of one run, in their order: later ones hide what they read of the output of a step that read a hidden
 * field.
 */
export function createShownSteps({ steps }: Pick<Automation, 'steps'>, { hidden, isOperator }: Reader) {
  /** Names of steps whose output may repeat a hidden field. */
  const tainted = new Set<string>()
  const extentOf = (path: Path, step: Step): Extent => extent(path, { hidden, isOperator, tainted, step })

  function shown(value: unknown, written: unknown, step: Step): Shown {
    if (typeof written === 'string') return shownText(value, written, step)
    if (Array.isArray(value)) {
      const items = value.map((each, index) => shown(each, Array.isArray(written) ? written[index] : undefined, step))
      return { value: items.map(each => each.value), isCut: items.some(({ isCut }) => isCut) }
    }
    if (!isRecord(value)) return { value, isCut: false }
    const entries = Object.entries(value).map(
      ([name, inner]) => [name, shown(inner, isRecord(written) ? written[name] : undefined, step)] as const,
    )
    return {
      value: Object.fromEntries(entries.map(([name, each]) => [name, each.value])),
      isCut: entries.some(([, { isCut }]) => isCut),
    }
  }

  function shownText(value: unknown, written: string, step: Step): Shown {
    const expression = parseExpression(written)
    const extents = pathsIn(written).map(path => extentOf(path, step))
    if (extents.every(each => each === 'none')) return isOperator ? { value, isCut: false } : withoutAddress(value)
    if (expression.kind !== 'value' || extents.includes('all')) return { value: HIDDEN, isCut: true }
    const left = withoutFields(value, hidden)
    return { value: left, isCut: JSON.stringify(left) !== JSON.stringify(value) }
  }

  const readsHidden = (step: Step): boolean =>
    [...testedPaths(step.when), ...pathsIn(step)].some(path => extentOf(path, step) !== 'none')

  return function show({ position, item }: { readonly position: number; readonly item: number }, values: StepValues) {
    const step = steps[position]
    if (!step) return { input: null, output: null, error: withoutDetail(values.error) }
    const written =
      step.kind === 'action'
        ? item === -1 && step.each !== null
          ? { items: step.each }
          : step.input
        : { text: step.kind === 'ask' ? step.text : undefined, until: step.kind === 'wait' ? step.until : undefined }
    const { value: input, isCut } =
      values.input === null ? { value: null, isCut: readsHidden(step) } : shown(values.input, written, step)
    if (isCut && step.as !== null) tainted.add(step.as)
    if (!isCut && isOperator) return { ...values, input }
    const output = values.output === null ? null : HIDDEN
    return { input, output, error: withoutDetail(values.error) }
  }
}

/** The error of a run without what its detail may quote. */
export const withoutDetail = (error: StepValues['error']): StepValues['error'] => error && { ...error, detail: HIDDEN }

/** A person whom a field names, as the field names them. An address that isn't of a member is hidden. */
function withoutAddress(value: unknown): Shown {
  if (!isRecord(value) || !('isForeign' in value)) return { value, isCut: false }
  return { value: value.userId ?? HIDDEN, isCut: false }
}

interface Reading extends Reader {
  readonly tainted: ReadonlySet<string>
  readonly step: Step
}

function extent([root = '', ...rest]: Path, reading: Reading): Extent {
  const { hidden, isOperator, tainted, step } = reading
  if (root === 'row' || root === 'previous') return ofRow(rest, hidden)
  if (root === 'event') {
    const [payload, part, ...field] = rest
    if (payload !== undefined && payload !== 'payload') return 'none'
    if (part === undefined) return 'part'
    return part === 'row' || part === 'previous' ? ofRow(field, hidden) : 'none'
  }
  if (!isOperator && (root === 'steps' || root === 'input')) return 'all'
  if (root === 'steps') return rest[0] === undefined ? (tainted.size > 0 ? 'all' : 'none') : ofSet(rest[0], tainted)
  if (root !== 'item' || step.kind !== 'action' || step.each === null) return 'none'
  return pathsIn(step.each).some(path => extent(path, reading) !== 'none') ? 'all' : 'none'
}
const ofRow = ([field]: Path, hidden: HiddenFields): Extent =>
  field === undefined ? (hidden.size > 0 ? 'part' : 'none') : ofSet(field, hidden)
const ofSet = (name: string, names: ReadonlySet<string>): Extent => (names.has(name) ? 'all' : 'none')
