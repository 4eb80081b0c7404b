/** The check of automations: names, types, and circles. */
import type { Action, RecipeDiagnostic, ValidatedRecipe } from '@larder-dev/larder/kernel'
import type { DeclaredAutomation, DeclaredStep } from '../domain/definition/declared.ts'
import { actionOf } from '../domain/definition/normalize.ts'
import { parseExpression } from '../domain/values/expression.ts'
import { rowKindsOf } from '../services/row-kinds.ts'
import { circles } from './circles.ts'
import { conditionMistakes } from './condition-check.ts'
import { actionsOf } from './known.ts'
import { eventSchemas, type Offered, object, offeredBy, withItem, withStep } from './offered.ts'
import type { Sections } from './sections.ts'
import { actionMistakes, valueMistakes } from './step-check.ts'
import { type Known, triggerMistakes, unknown } from './trigger-check.ts'
import { ANY, isMistake, type Mistake, type Schema, schemaAt, typesOf } from './types.ts'

type Recipe = ValidatedRecipe<unknown, Sections>

/** Automation → types of events that its steps publish. */
type Published = Map<string, Set<string>>

export function validate(recipe: Recipe): readonly RecipeDiagnostic[] {
  const automations = recipe.sections.automations ?? {}
  if (Object.keys(automations).length === 0) return []
  const context = contextOf(recipe)
  const published: Published = new Map()
  const found = Object.entries(automations).flatMap(([key, automation]) =>
    checkOne(key, automation, context, published).map(({ path, ...mistake }) => ({
      path: ['automations', key, ...path],
      ...mistake,
    })),
  )
  const loops = circles(automations, published).map((circle): RecipeDiagnostic => {
    const [first = ''] = circle
    return {
      path: ['automations', first],
      at: 'key',
      severity: 'warning',
      code: 'circular_automations',
      message: `Automations start one another: ${[...circle, first].join(' → ')}`,
      hint: 'Add a condition that ends it, such as when or changed. After 8 runs, a circle is stopped',
    }
  })
  return [...found, ...loops]
}

interface Context {
  readonly recipe: Recipe
  readonly known: Known
  readonly events: ReadonlyMap<string, Schema>
  readonly actions: ReadonlyMap<string, Action>
}

function contextOf(recipe: Recipe): Context {
  const events = eventSchemas(recipe)
  const roles = recipe.complete
    ? [...Object.keys(recipe.roles), ...recipe.modules.flatMap(({ module }) => Object.keys(module.roles ?? {}))]
    : undefined
  const known = { events: [...events.keys()], rows: rowKindsOf(recipe), roles }
  return { recipe, events, known, actions: actionsOf(recipe) }
}

function checkOne(key: string, automation: DeclaredAutomation, context: Context, published: Published): Mistake[] {
  const { known, events, recipe } = context
  const triggers = triggerMistakes(automation, known)
  // What a module declares isn't known if it failed to load.
  const reported = recipe.complete ? triggers : triggers.filter(({ code }) => !code.startsWith('unknown_'))
  const offers = offeredBy(automation, events, known.rows)
  const types = new Set<string>()
  published.set(key, types)
  const inner = offers.flatMap(offered => [
    ...conditionMistakes(automation.when ?? {}, offered, ['when']),
    ...filterMistakes(automation, offered),
    ...stepsMistakes(automation.steps, offered, context, types),
  ])
  return unique([...reported, ...inner])
}

/** The rows of `every` with `each`. */
function filterMistakes({ each }: DeclaredAutomation, offered: Offered): Mistake[] {
  if (typeof each !== 'object' || !each.filter) return []
  const { row = ANY } = offered.schema.properties as Readonly<Record<string, Schema>>
  return conditionMistakes(each.filter, { ...offered, schema: row }, ['each', 'filter'])
}

function stepsMistakes(
  steps: readonly DeclaredStep[],
  start: Offered,
  context: Context,
  published: Set<string>,
): Mistake[] {
  const mistakes: Mistake[] = []
  const names = new Set<string>()
  let offered = start
  for (const [index, step] of steps.entries()) {
    const at = ['steps', index]
    const { found, output } = stepMistakes(step, offered, context, at, published)
    mistakes.push(...conditionMistakes(step.when ?? {}, offered, [...at, 'when']), ...found)
    if (step.as === undefined) continue
    if (names.has(step.as))
      mistakes.push({ path: [...at, 'as'], code: 'duplicate_name', message: `Two steps have the name "${step.as}"` })
    names.add(step.as)
    offered = withStep(offered, step.as, output)
  }
  return mistakes
}

function stepMistakes(
  step: DeclaredStep,
  offered: Offered,
  { actions, known, recipe }: Context,
  at: readonly (string | number)[],
  published: Set<string>,
): { readonly found: readonly Mistake[]; readonly output: Schema } {
  const name = actionOf(step)
  const kinds = [name, step.wait, step.ask].filter(each => each !== undefined)
  const others = Object.keys(step).filter(key => key.includes('.'))
  if (kinds.length !== 1 || others.length > 1)
    return {
      output: ANY,
      found: [
        {
          path: at,
          code: 'invalid_step',
          message: 'A step is one action, or wait, or ask',
          hint: 'Write one list item for each',
        },
      ],
    }
  if (step.ask) return askMistakes(step.ask, offered, known, [...at, 'ask'])
  if (step.wait !== undefined) {
    const until = typeof step.wait === 'object' ? step.wait.until : undefined
    const found = until === undefined ? [] : valueMistakes(until, { type: 'string' }, offered, [...at, 'wait', 'until'])
    return { output: ANY, found }
  }
  const action = actions.get(name ?? '')
  if (!action)
    return {
      output: ANY,
      found: recipe.complete
        ? [unknown('unknown_action', 'action', name ?? '', [...actions.keys()], [...at, name ?? ''])]
        : [],
    }
  const { item, found: listMistakes } = itemOf(step, offered, at)
  const input = (step[name ?? ''] ?? {}) as Readonly<Record<string, unknown>>
  const own = item ? withItem(offered, item) : offered
  const checked = actionMistakes(action, input, own, { recipe, rows: known.rows, at: [...at, name ?? ''] })
  for (const type of checked.events) published.add(type)
  return {
    output: item ? { type: 'array', items: checked.output } : checked.output,
    found: [...listMistakes, ...checked.mistakes],
  }
}

function askMistakes(
  ask: NonNullable<DeclaredStep['ask']>,
  offered: Offered,
  { roles }: Known,
  at: readonly (string | number)[],
) {
  const texts =
    typeof ask.text === 'string' ? [['text', ask.text]] : Object.entries(ask.text).map(([key, text]) => [key, text])
  return {
    output: object({
      choice: { anyOf: [{ type: 'string', enum: [...ask.choices] }, { type: 'null' }] },
      timedOut: { type: 'boolean' },
      answeredBy: { anyOf: [{ type: 'string' }, { type: 'null' }] },
    }),
    found: [
      ...(roles && !roles.includes(ask.role)
        ? [unknown('unknown_role', 'role', ask.role, roles, [...at, 'role'])]
        : []),
      ...texts.flatMap(([, text]) => valueMistakes(text, { type: 'string' }, offered, [...at, 'text'])),
    ],
  }
}

function itemOf({ each }: DeclaredStep, { schema }: Offered, at: readonly (string | number)[]) {
  const expression = each === undefined ? undefined : parseExpression(each)
  if (each === undefined || expression?.kind !== 'value') return { item: undefined, found: [] }
  const found = schemaAt(schema, expression.path, each)
  const path = [...at, 'each']
  if (isMistake(found)) return { item: ANY, found: [{ path, ...found }] }
  const types = typesOf(found)
  if (types && !types.includes('array'))
    return { item: ANY, found: [{ path, code: 'wrong_type', message: `${each} is no list` }] }
  return { item: (found.items ?? ANY) as Schema, found: [] }
}

/** An automation with several events reports a mistake once. */
function unique(mistakes: readonly Mistake[]): Mistake[] {
  const seen = new Map(mistakes.map(mistake => [JSON.stringify([mistake.path, mistake.message]), mistake]))
  return [...seen.values()]
}
