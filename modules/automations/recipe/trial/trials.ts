/** The port `automations`: tries automations out, and lists their runs, for commands and for tests of a product. */
import { type Deps, didYouMean, type RecipeView, type TSchema } from '@larder-dev/larder/kernel'
import { formatList } from '@larder-dev/larder/kernel/internal'
import type { Automation } from '../../domain/definition/automation.ts'
import type { DeclaredAutomation } from '../../domain/definition/declared.ts'
import type { AutomationTools } from '../../ports.ts'
import type { Definitions } from '../../services/definitions.ts'
import type { RunLog } from '../../services/history/run-log.ts'
import type { RowKinds } from '../../services/row-kinds.ts'
import { createInputs } from '../../services/runs/inputs.ts'
import type { InputValidation } from '../../services/runs/validation.ts'
import { actionsOf } from '../known.ts'
import { eventSchemas, offeredBy } from '../offered.ts'
import { runningRecipe } from '../running-recipe.ts'
import type { Sections } from '../sections.ts'
import { makeSample, readSample } from './given.ts'
import { tryOut } from './trial.ts'
import { createCheck } from './value-check.ts'

type ToolDeps = Deps<'registry' | 'access' | 'product'> & {
  readonly definitions: Definitions
  readonly rowKinds: RowKinds
  readonly validation: InputValidation
  readonly runLog: RunLog
}

/** Nobody is looked up in a trial: whoever has an ID is a member. */
const isId = (id: string): boolean => /^[a-z]+_\w+$/.test(id)
const anybody = {
  members: async (_tenantId: string, ids: readonly string[]) =>
    ids.filter(isId).map(userId => ({ userId, name: null, email: userId, locale: null })),
  byMemberIds: async (_tenantId: string, ids: readonly string[]) =>
    ids.map(memberId => ({ memberId, userId: memberId, name: null, email: memberId, locale: null })),
  withConfirmedEmail: async () => [],
}

export function createTools(
  { registry, access, product, definitions, rowKinds, validation, runLog }: ToolDeps,
  _options: unknown,
  view: RecipeView<Sections>,
): AutomationTools {
  const inputs = createInputs({ people: anybody, rowKinds, validation })

  function find(key: string): Automation {
    const found = definitions.current.get(key)
    if (found) return found
    const known = [...definitions.current.keys()]
    const list = known.length > 0 ? `Automations: ${formatList(known)}.` : 'The recipe has no automations.'
    throw new Error(`Unknown automation "${key}". ${didYouMean(key, known) ?? list}`)
  }
  const kinds = (recipe: ReturnType<typeof runningRecipe>) => ({ events: eventSchemas(recipe), rows: rowKinds })

  return {
    sample: (key, event) => {
      const automation = find(key)
      return makeSample(automation, kinds(runningRecipe({ registry, access, product }, view)), event)
    },
    async test(key, sample) {
      const automation = find(key)
      const recipe = runningRecipe({ registry, access, product }, view)
      const { events } = kinds(recipe)
      const given = readSample(automation, sample, { events, rows: rowKinds })
      const declared = view.sections.automations?.[key] as DeclaredAutomation
      const { type } = (given.offer.event ?? {}) as { type?: string }
      const offers = offeredBy(declared, events, rowKinds)
      const types = offers.find(({ of }) => of === type) ?? offers[0]
      if (!types) throw new Error(`Nothing is known about what starts the automation "${key}".`)
      const digest = definitions.digestOf(key)
      return tryOut(automation, given, types, {
        recipe,
        rows: rowKinds,
        actions: actionsOf(recipe),
        inputs,
        product: { key: product.key, name: product.name, publicUrl: product.publicUrl },
        language: product.locales.default,
        assertFits(schema, value) {
          const check = createCheck()
          check.value(schema as TSchema, value, '')
          if (check.mistakes.length > 0) throw new Error(check.mistakes.join('; '))
        },
        shown: (position, input) => definitions.shown(digest, position, input),
        secretsIn: (position, input) => definitions.secretsIn(digest, position, input),
      })
    },
    runs: query => runLog.list(query),
    countRunning: () => runLog.countRunning(),
    endWaits: query => runLog.endWaits(query),
  }
}
