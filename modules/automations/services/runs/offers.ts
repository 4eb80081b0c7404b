/** What a run offers to its steps: `$row` as it is now, `$event`, `$input`, `$steps` and the others. */
import { type Deps, once } from '@larder-dev/larder/kernel'
import type { Automation, Step } from '../../domain/definition/automation.ts'
import { pathsOf, testedPaths } from '../../domain/values/condition.ts'
import { pathsIn } from '../../domain/values/expression.ts'
import type { Offer } from '../../domain/values/resolve.ts'
import type { RowKinds } from '../row-kinds.ts'
import type { RowReader } from '../row-reader.ts'
import { actionsOf } from './actions.ts'
import type { Outputs } from './outputs.ts'
import { COLLECTION, withRows } from './rows.ts'
import type { OpenRun, StepRow } from './run-record.ts'

export interface Offers {
  /** In the surrounding unit. Undefined if the row is gone. */
  of(run: OpenRun, reader: OfferReader, steps: readonly StepRow[]): Promise<Offer | undefined>
}
/** What reads an offer. */
interface OfferReader {
  readonly step: Step
  /** The condition with which the automation starts. */
  readonly condition: Automation['when']
  /** Whether the row stays as it is until the unit ends. */
  readonly locksRow: boolean
}

export function createOffers({
  rowReader,
  outputs,
  tenantDirectory,
  product,
  rowKinds,
  registry,
}: Deps<'product' | 'registry', 'tenantDirectory'> & {
  readonly rowReader: RowReader
  readonly outputs: Outputs
  readonly rowKinds: RowKinds
}): Offers {
  const actions = once(() => actionsOf(registry))

  /** A step can pass an event on whole, for example to another system. */
  function publicRow(collection: string | null, row: object): object {
    const hidden = rowKinds.all.get(collection ?? '')?.privateFields ?? []
    return Object.fromEntries(Object.entries(row).filter(([name]) => !hidden.includes(name)))
  }

  async function rowOf(
    { collection, rowId, tenantId, input }: OpenRun,
    locks: boolean,
  ): Promise<object | null | undefined> {
    if (collection === null || rowId === null) return null
    if (typeof input.row === 'object' && input.row !== null) return input.row
    return rowReader.get(tenantId, collection, rowId, locks)
  }

  async function workspaceOf({ tenantId }: OpenRun): Promise<object> {
    if (!tenantDirectory) return { id: tenantId }
    const { id, name, slug } = await tenantDirectory.get(tenantId)
    return { id, name, slug }
  }

  return {
    async of(run, { step, condition, locksRow }, steps) {
      const row = await rowOf(run, locksRow)
      if (row === undefined) return undefined
      const event = run.input.event as { readonly payload?: object } | undefined
      return {
        ...run.input,
        ...(event && {
          event: row ? { ...event, payload: { row: publicRow(run.collection, row), ...event.payload } } : event,
        }),
        ...(row && { row: { ...row, [COLLECTION]: run.collection } }),
        steps: Object.fromEntries(
          ended(steps).map(each => [each.name, withRows(actions().get(each.action), outputs.open(each))]),
        ),
        product: { key: product.key, name: product.name, publicUrl: product.publicUrl },
        ...((rootsOf(step).has('workspace') || reads(condition, 'workspace')) && { workspace: await workspaceOf(run) }),
      }
    },
  }
}

/** Steps that are over, by name. The output of a step with `each` is the list of those of its items. */
const ended = (steps: readonly StepRow[]): readonly StepRow[] =>
  steps.filter(
    ({ name, item, state }) =>
      name !== null && item === -1 && (state === 'done' || state === 'passed' || state === 'failed'),
  )

const reads = (condition: Automation['when'], root: string): boolean =>
  pathsOf(condition).some(([first]) => first === root)

const known = new WeakMap<Step, ReadonlySet<string>>()

/** The first words of the values that a step reads. */
function rootsOf(step: Step): ReadonlySet<string> {
  const found = known.get(step)
  if (found) return found
  const roots = new Set([...testedPaths(step.when), ...pathsIn(step)].flatMap(([root]) => root ?? []))
  known.set(step, roots)
  return roots
}
